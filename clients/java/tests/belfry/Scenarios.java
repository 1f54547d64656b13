package belfry;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** Runs clients/scenarios.json with the Java client against a server: Scenarios SCENARIOS SERVER [NAME-PART] */
public final class Scenarios {
    private static final Duration PATIENCE = Duration.ofMinutes(1); // a limit for broken tests

    /** The "with" of a step. */
    private record Part(JsonObject with) {
        String job() {
            return with.object("path").text("job");
        }

        String run() {
            return with.object("path").text("run");
        }

        JsonObject body() {
            return with.object("body");
        }

        Option[] options() {
            List<Option> options = new ArrayList<>();
            with.object("query").forEach((name, value) -> options.add(Option.query(name, value)));
            if (with.containsKey("key")) {
                options.add(Option.key(with.text("key")));
            }
            if (with.containsKey("version")) {
                options.add(Option.version(with.number("version")));
            }
            if (with.containsKey("create_only")) {
                options.add(Option.createOnly());
            }
            return options.toArray(Option[]::new);
        }
    }

    private static final Map<String, BiFunction<Client, Part, Object>> CALLS = new HashMap<>();
    private static final Map<String, BiFunction<Client, Part, Iterable<JsonObject>>> LISTS = new HashMap<>();

    static {
        CALLS.put("createJob", (c, w) -> c.createJob(w.body(), w.options()));
        CALLS.put("putJobs", (c, w) -> c.putJobs(w.body(), w.options()));
        CALLS.put("getJob", (c, w) -> c.getJob(w.job()));
        CALLS.put("putJob", (c, w) -> c.putJob(w.job(), w.body(), w.options()));
        CALLS.put("patchJob", (c, w) -> c.patchJob(w.job(), w.body(), w.options()));
        CALLS.put("deleteJob", (c, w) -> {
            c.deleteJob(w.job());
            return null;
        });
        CALLS.put("pauseJob", (c, w) -> c.pauseJob(w.job(), w.body()));
        CALLS.put("resumeJob", (c, w) -> c.resumeJob(w.job()));
        CALLS.put("cancelJob", (c, w) -> c.cancelJob(w.job()));
        CALLS.put("triggerJob", (c, w) -> c.triggerJob(w.job(), w.body().get("payload"), w.options()));
        CALLS.put("backfillJob", (c, w) -> c.backfillJob(w.job(), w.body()));
        CALLS.put("explainJob", (c, w) -> c.explainJob(w.job(), w.options()));
        CALLS.put("restoreRevision", (c, w) -> c.restoreRevision(w.job(), w.with().object("path").number("version")));
        CALLS.put("nextTicks", (c, w) -> c.nextTicks(w.job(), w.options()));
        CALLS.put("previewSchedule", (c, w) -> c.previewSchedule(w.body()));
        CALLS.put("getRun", (c, w) -> c.getRun(w.run()));
        CALLS.put("getRunLog", (c, w) -> c.getRunLog(w.run(), w.options()));
        CALLS.put("cancelRun", (c, w) -> c.cancelRun(w.run()));
        CALLS.put("unstickRun", (c, w) -> c.unstickRun(w.run(), w.body().text("note")));
        CALLS.put("retryRun", (c, w) -> c.retryRun(w.run(), w.options()));
        CALLS.put("claimRuns", (c, w) -> c.claimRuns(w.body()));
        CALLS.put("beatRuns", (c, w) -> {
            long lease = w.body().containsKey("lease_seconds") ? w.body().number("lease_seconds") : 30;
            return c.beatRuns(w.body().objects("runs"), lease);
        });
        CALLS.put("completeRuns", (c, w) -> c.completeRuns(w.body().objects("runs")));
        CALLS.put("getCluster", (c, w) -> c.getCluster());
        CALLS.put("getForecast", (c, w) -> c.getForecast(w.options()));
        CALLS.put("getForecastAdvice", (c, w) -> c.getForecastAdvice(w.options()));
        CALLS.put("getStats", (c, w) -> c.getStats());
        CALLS.put("getWorkers", (c, w) -> c.getWorkers());
        CALLS.put("jobWarnings", (c, w) -> c.jobWarnings(w.job()));
        LISTS.put("listJobs", (c, w) -> c.listJobs(w.options()));
        LISTS.put("listRuns", (c, w) -> c.listRuns(w.options()));
        LISTS.put("listJobRuns", (c, w) -> c.listJobRuns(w.job(), w.options()));
        LISTS.put("listRevisions", (c, w) -> c.listRevisions(w.job(), w.options()));
        LISTS.put("listJobTicks", (c, w) -> c.listJobTicks(w.job(), w.options()));
    }

    private final String server;
    private final Map<String, Object> variables = new HashMap<>(Map.of("id", "s-" + UUID.randomUUID().toString().substring(0, 12)));

    private Scenarios(String server) {
        this.server = server;
    }

    private void step(JsonObject step) throws InterruptedException {
        JsonObject own = new JsonObject(step);
        own.remove("watch"); // its steps are filled when they are done
        JsonObject filled = (JsonObject) Matching.fill(own, variables);
        long giveUp = System.nanoTime() + Duration.ofSeconds(step.number("within")).toNanos();
        for (;;) {
            try {
                Object got = check(filled, step.containsKey("watch") ? step.objects("watch") : null);
                step.object("save").forEach((name, pointer) -> variables.put(name, Matching.pick(got, (String) pointer)));
                return;
            } catch (Matching.Mismatch wrong) {
                if (System.nanoTime() >= giveUp) {
                    throw wrong;
                }
                Thread.sleep(50);
            }
        }
    }

    private Object check(JsonObject step, List<JsonObject> watched) throws InterruptedException {
        Client.Settings settings = new Client.Settings().token(step.text("token"));
        if (step.containsKey("server")) {
            settings.patience(Duration.ofSeconds(1));
        }
        Client client = new Client(step.containsKey("server") ? step.text("server") : server, settings);
        if (watched != null) {
            return watch(client, step, watched);
        }
        Object got;
        try {
            got = ask(client, step);
        } catch (Problem problem) {
            checkProblem(step, problem);
            return null;
        }
        if (step.containsKey("refused")) {
            throw new Matching.Mismatch("expected to be refused (" + step.get("refused") + "), got " + got);
        }
        if (step.containsKey("expect")) {
            Matching.match(step.get("expect"), got, "");
        }
        return got;
    }

    private static Object ask(Client client, JsonObject step) {
        JsonObject with = new JsonObject(step.object("with"));
        if (step.containsKey("list")) {
            if (step.containsKey("page")) {
                with.put("query", new JsonObject(with.object("query")).with("limit", step.get("page")));
            }
            List<Object> all = new ArrayList<>();
            LISTS.get(step.text("list")).apply(client, new Part(with)).forEach(all::add);
            return all;
        }
        return CALLS.get(step.text("do")).apply(client, new Part(with));
    }

    private static void checkProblem(JsonObject step, Problem problem) {
        List<String> fields = problem.errors().stream().map(FieldError::pointer).toList();
        JsonObject told = JsonObject.of("kind", problem.kind().name().toLowerCase(), "code", problem.code(), "fields", fields);
        if (!step.containsKey("refused")) {
            throw new Matching.Mismatch(told + ": " + problem.getMessage());
        }
        Matching.match(step.get("refused"), told, "");
    }

    /** Does the steps while it listens, until the event comes. */
    private Object watch(Client client, JsonObject step, List<JsonObject> watched) throws InterruptedException {
        BlockingQueue<Event> seen = new LinkedBlockingQueue<>();
        CountDownLatch opened = new CountDownLatch(1);
        Thread listener = new Thread(() -> {
            try {
                client.events((String) step.get("after"), opened::countDown, seen::add);
            } catch (InterruptedException enough) {
                // The step is over.
            }
        });
        listener.setDaemon(true);
        listener.start();
        if (!opened.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new Matching.Mismatch("the stream does not open");
        }
        for (JsonObject each : watched) {
            step(each);
        }
        for (Event event; (event = seen.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)) != null;) {
            JsonObject told = JsonObject.of("id", event.id(), "name", event.name(), "data", event.data());
            if (Matching.fits(step.get("expect"), told)) {
                listener.interrupt();
                return told;
            }
        }
        throw new Matching.Mismatch("no such event: " + step.get("expect"));
    }

    private static boolean runScenario(String server, JsonObject scenario) throws InterruptedException {
        Scenarios runner = new Scenarios(server);
        int number = 0;
        for (JsonObject step : scenario.objects("steps")) {
            ++number;
            try {
                runner.step(step);
            } catch (RuntimeException error) {
                System.out.println("FAILED  " + scenario.text("name") + "\n  step " + number + ": " + Json.write(step) + "\n  " + error);
                return false;
            }
        }
        System.out.println("ok      " + scenario.text("name"));
        return true;
    }

    /** Whether the verdict on a call is the expected one: a reason, or none. */
    private static boolean runWebhook(JsonObject vector) {
        Map<String, String> headers = new HashMap<>();
        vector.object("headers").forEach((name, value) -> headers.put(name, (String) value));
        String[] secrets = ((List<?>) vector.get("secrets")).toArray(String[]::new);
        byte[] body = vector.text("body").getBytes(StandardCharsets.UTF_8);
        Object verdict = null;
        try {
            Webhook call = Webhook.verifyAt(Instant.ofEpochSecond(vector.number("now")), headers, body, secrets);
            verdict = headers.containsValue(call.id()) ? null : "another id";
        } catch (Webhook.Refused refused) {
            verdict = refused.reason();
        }
        boolean good = java.util.Objects.equals(verdict, vector.get("refused"));
        System.out.println((good ? "ok" : "FAILED") + "      webhook: " + vector.text("name") + (good ? "" : ": " + verdict));
        return good;
    }

    public static void main(String[] arguments) throws Exception {
        JsonObject file = (JsonObject) Json.parse(Files.readString(Path.of(arguments[0])));
        String part = arguments.length > 2 ? arguments[2] : "";
        int passed = 0;
        int total = 0;
        for (JsonObject each : file.objects("scenarios")) {
            if (each.text("name").contains(part)) {
                ++total;
                passed += runScenario(arguments[1], each) ? 1 : 0;
            }
        }
        for (JsonObject each : file.objects("webhooks")) {
            if (each.text("name").contains(part)) {
                ++total;
                passed += runWebhook(each) ? 1 : 0;
            }
        }
        System.out.println(passed + " of " + total + " passed");
        System.exit(total > 0 && passed == total ? 0 : 1);
    }
}
