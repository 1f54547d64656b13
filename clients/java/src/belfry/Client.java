package belfry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A Belfry server as its REST API shows it: one method for each call, JSON objects in and out.
 *
 * <pre>{@code
 * Client client = new Client("http://127.0.0.1:7070", new Client.Settings().token("bf_…"));
 * client.createJob(JsonObject.of("job_name", "nightly", "job_type", "report", "cron_expression", "30 2 * * *"));
 * for (JsonObject run : client.listRuns(Option.query("state", "DEAD"))) client.retryRun(run.text("run_id"));
 * }</pre>
 *
 * Method and field names are those of the OpenAPI document ({@code /openapi.json} of any server). A call that fails throws a
 * {@link Problem}. A call that got no answer is repeated where that is safe; for this, the methods that create something draw
 * an Idempotency-Key if you give none. Thread-safe; opens nothing before the first call.
 */
public class Client {
    public static final String VERSION = "0.2.0";

    private static final String API = "/api/v1";
    private static final String DEFAULT_SERVER = "http://127.0.0.1:7070";
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final Set<String> LIVE_STATES = Set.of("READY", "RUNNING", "RETRYING");

    /** What a client may be told; all of it may be left out. */
    public static final class Settings {
        private String token = "";
        private String tenant = "";
        private Duration timeout = Duration.ofSeconds(30);
        private Duration patience = Duration.ofSeconds(5);
        private HttpClient.Builder http = HttpClient.newBuilder();

        public Settings token(String key) {
            token = key;
            return this;
        }

        /** A tenant other than the key's own, for admins. */
        public Settings tenant(String name) {
            tenant = name;
            return this;
        }

        /** How long one try of a call may take; 30 s by default. */
        public Settings timeout(Duration length) {
            timeout = length;
            return this;
        }

        /** For how long to repeat a call that the server could not serve just then; 5 s by default. */
        public Settings patience(Duration length) {
            patience = length;
            return this;
        }

        /** For a certificate authority or a proxy of your own. Redirects are never followed. */
        public Settings http(HttpClient.Builder builder) {
            http = builder;
            return this;
        }
    }

    private final Wire wire;
    private final Duration timeout;
    private final Duration patience;

    public Client(String server) {
        this(server, new Settings());
    }

    public Client(String server, Settings settings) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Accept", "application/json");
        headers.put("User-Agent", "belfry-java/" + VERSION);
        if (!settings.token.isEmpty()) {
            headers.put("Authorization", "Bearer " + settings.token);
        }
        if (!settings.tenant.isEmpty()) {
            headers.put("Belfry-Tenant", settings.tenant);
        }
        HttpClient http = settings.http
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER) // never send the key elsewhere
                .connectTimeout(settings.timeout)
                .build();
        wire = new Wire(server, headers, http);
        timeout = settings.timeout;
        patience = settings.patience;
    }

    /** From the variables of the command line: BELFRY_SERVER, BELFRY_TOKEN or BELFRY_TOKEN_FILE, BELFRY_TENANT. */
    public static Client fromEnv() {
        Map<String, String> variables = System.getenv();
        String token = variables.getOrDefault("BELFRY_TOKEN", "").strip();
        String file = variables.getOrDefault("BELFRY_TOKEN_FILE", "");
        try {
            token = token.isEmpty() && !file.isEmpty() ? Files.readString(Path.of(file)).strip() : token;
        } catch (IOException error) {
            throw new UncheckedIOException("the key cannot be read from " + file, error);
        }
        String server = variables.getOrDefault("BELFRY_SERVER", "");
        return new Client(
                server.isEmpty() ? DEFAULT_SERVER : server,
                new Settings().token(token).tenant(variables.getOrDefault("BELFRY_TENANT", "")));
    }

    /** Shows no key. */
    @Override
    public String toString() {
        return "belfry.Client(" + wire.server() + ")";
    }

    // ---- One call

    /** Any call of the API, also those without a method here. The path begins with "/", its parts are quoted; the body may be null. */
    public Object call(String method, String path, Object body, Option... options) {
        Option.Call call = new Option.Call(method, path);
        call.timeout = timeout;
        call.patience = patience;
        for (Option option : options) {
            option.applyTo(call);
        }
        if (body != null) {
            call.headers.putIfAbsent("Content-Type", "application/json");
            try {
                call.body = Json.write(body);
            } catch (IllegalArgumentException error) {
                throw new Problem(Problem.Kind.INVALID, "the body of " + method + " " + path + " is not JSON: " + error.getMessage(), error);
            }
        }
        try {
            return answered(persist(call));
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new Problem(Problem.Kind.TIMED_OUT, "the wait for " + wire.server() + " was interrupted; it may or may not have been done", error);
        }
    }

    private static Object answered(HttpResponse<String> response) {
        if (response.statusCode() < 200 || response.statusCode() >= 300) {
            throw Problem.of(response.statusCode(), response.body(), Wire.retryAfter(response));
        }
        boolean isJson = response.headers().firstValue("Content-Type").orElse("").contains("json");
        try {
            return response.body().isEmpty() ? null : isJson ? Json.parse(response.body()) : response.body();
        } catch (IllegalArgumentException error) {
            throw new Problem(Problem.Kind.INVALID, "the answer is not as Belfry's are: " + error.getMessage(), error);
        }
    }

    private HttpResponse<String> persist(Option.Call call) throws InterruptedException {
        long giveUp = System.nanoTime() + call.patience.toNanos();
        for (boolean repeated = false;;) {
            HttpResponse<String> response;
            try {
                response = wire.exchange(call, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            } catch (Problem problem) {
                boolean mayRepeat = problem.kind() == Problem.Kind.TIMED_OUT && call.repeatable && !repeated;
                if (!mayRepeat || System.nanoTime() - giveUp >= 0) {
                    throw problem;
                }
                repeated = true;
                continue;
            }
            Duration asked = Wire.retryAfter(response);
            long pause = (asked == null ? Duration.ofSeconds(1) : asked).toNanos();
            boolean busy = response.statusCode() == 429 || response.statusCode() == 503;
            if (!busy || System.nanoTime() + pause - giveUp > 0) {
                return response;
            }
            Thread.sleep(Math.min(Math.max(pause / 1_000_000, 100), LONGEST_PAUSE.toMillis()));
        }
    }

    private JsonObject object(String method, String path, Object body, Option... options) {
        return call(method, API + path, body, options) instanceof JsonObject object ? object : new JsonObject();
    }

    private JsonObject get(String path, Option... options) {
        return object("GET", path, null, options);
    }

    private JsonObject postAgain(String path, Object body) {
        return object("POST", path, body, Option.repeatable());
    }

    private JsonObject postKeyed(String path, Object body, Option... options) {
        Option all = call -> {
            Option.repeatable().applyTo(call);
            Option.key(UUID.randomUUID().toString()).applyTo(call);
            List.of(options).forEach(option -> option.applyTo(call));
        };
        return object("POST", path, body, all);
    }

    /** The entries of any list of the API, one by one; pages are fetched as you go. */
    public Iterable<JsonObject> pages(String path, Option... options) {
        return () -> new Pages(this, path, options);
    }

    // ---- Jobs. A job is an id or a name.

    /** Jobs by name, without target and payload. Filters: status, job_type, label, q. */
    public Iterable<JsonObject> listJobs(Option... filters) {
        return pages(API + "/jobs", filters);
    }

    /** A new job; CONFLICT if the name is taken. Options: key. */
    public JsonObject createJob(Map<String, ?> definition, Option... options) {
        return postKeyed("/jobs", definition, options);
    }

    /** Creates or replaces up to 10,000 jobs by name: {"jobs": […]}; with "atomic": false keeps the good ones. Options: key. */
    public JsonObject putJobs(Map<String, ?> batch, Option... options) {
        return postKeyed("/jobs:batch", batch, options);
    }

    public JsonObject getJob(String job) {
        return get(Paths.job(job, ""));
    }

    /** Creates or replaces. Options: version, createOnly. */
    public JsonObject putJob(String job, Map<String, ?> definition, Option... options) {
        return object("PUT", Paths.job(job, ""), definition, options);
    }

    /** Changes the given fields; null resets one to its default. Options: version. */
    public JsonObject patchJob(String job, Map<String, ?> changes, Option... options) {
        Option all = call -> {
            call.headers.put("Content-Type", "application/merge-patch+json");
            List.of(options).forEach(option -> option.applyTo(call));
        };
        return object("PATCH", Paths.job(job, ""), changes, all);
    }

    /** Options: version. */
    public void deleteJob(String job, Option... options) {
        object("DELETE", Paths.job(job, ""), null, options);
    }

    /** Skips its ticks until it is resumed, or until the instant in {"until": …}. */
    public JsonObject pauseJob(String job, Map<String, ?> pause) {
        return postAgain(Paths.job(job, "/pause"), pause);
    }

    public JsonObject resumeJob(String job) {
        return postAgain(Paths.job(job, "/resume"), null);
    }

    /** Ends the job for good; runs in flight go on. */
    public JsonObject cancelJob(String job) {
        return postAgain(Paths.job(job, "/cancel"), null);
    }

    /** Starts a run now, whatever the schedule says, and returns it. With a null payload it gets the job's own. Options: key. */
    public JsonObject triggerJob(String job, Object payload, Option... options) {
        return postKeyed(Paths.job(job, "/trigger"), payload == null ? new JsonObject() : JsonObject.of("payload", payload), options);
    }

    /** Creates runs for past ticks that have none: {"from": …, "to": …, "dry_run": …}. Asking twice creates nothing twice. */
    public JsonObject backfillJob(String job, Map<String, ?> window) {
        return postAgain(Paths.job(job, "/backfill"), window);
    }

    /** What the job was before, newest first. */
    public Iterable<JsonObject> listRevisions(String job, Option... filters) {
        return pages(API + Paths.job(job, "/revisions"), filters);
    }

    /** Gives the job the definition of an earlier version, as a new one. */
    public JsonObject restoreRevision(String job, long version) {
        return postAgain(Paths.job(job, "/revisions/" + version + "/restore"), null);
    }

    // ---- Schedules

    /** The job's runs, newest first. Filters: from, to, state. */
    public Iterable<JsonObject> listJobRuns(String job, Option... filters) {
        return pages(API + Paths.job(job, "/runs"), filters);
    }

    /** The ledger: each tick or range of ticks with its fate. Filters: from, to, order. */
    public Iterable<JsonObject> listJobTicks(String job, Option... filters) {
        return pages(API + Paths.job(job, "/ticks"), filters);
    }

    /** Why it did or did not run. Query: at. */
    public JsonObject explainJob(String job, Option... options) {
        return get(Paths.job(job, "/explain"), options);
    }

    /** The instants it will run at. Query: count. */
    public JsonObject nextTicks(String job, Option... options) {
        return get(Paths.job(job, "/next"), options);
    }

    /** What its author may not expect of a job: of its schedule, and of its target just now. */
    public JsonObject jobWarnings(String job) {
        return get(Paths.job(job, "/warnings"));
    }

    /** What a schedule means, in words and instants; nothing is stored. */
    public JsonObject previewSchedule(Map<String, ?> schedule) {
        return postAgain("/schedules/preview", schedule);
    }

    // ---- Runs

    /** Runs of all jobs, newest first. Filters: state (dead letters: DEAD), from, to. */
    public Iterable<JsonObject> listRuns(Option... filters) {
        return pages(API + "/runs", filters);
    }

    /** The run with its payload and its attempts. */
    public JsonObject getRun(String run) {
        return get(Paths.run(run, ""));
    }

    /** What the worker logged for an attempt, also while it runs; by default for the last one. Query: attempt. */
    public JsonObject getRunLog(String run, Option... options) {
        return get(Paths.run(run, "/log"), options);
    }

    public JsonObject cancelRun(String run) {
        return postAgain(Paths.run(run, "/cancel"), null);
    }

    /** Takes a running run from a worker that does not let go: it ends at once, and its fence is void. The note may be empty. */
    public JsonObject unstickRun(String run, String note) {
        return object("POST", Paths.run(run, "/unstick"), note.isEmpty() ? null : JsonObject.of("note", note));
    }

    /** Options: key. */
    public JsonObject retryRun(String run, Option... options) {
        return postKeyed(Paths.run(run, "/retry"), null, options);
    }

    /** Waits until the run is over, and returns it; TIMED_OUT if that takes too long. */
    public JsonObject waitForRun(String run, Duration longest) throws InterruptedException {
        long giveUp = System.nanoTime() + longest.toNanos();
        for (;;) {
            JsonObject seen = getRun(run);
            if (!LIVE_STATES.contains(seen.text("state"))) {
                return seen;
            }
            if (System.nanoTime() - giveUp >= 0) {
                throw new Problem(Problem.Kind.TIMED_OUT, "run " + run + " is still " + seen.text("state") + " after " + longest.toSeconds() + " s", null);
            }
            Thread.sleep(500);
        }
    }

    // ---- Work. Worker does all this for you.

    /**
     * Runs to work on, for {"worker_id", "job_types", "max_runs", "lease_seconds", "wait_seconds", "region"}; waits for the first one.
     * Never repeated: the runs of a lost answer come back when their lease ends.
     */
    public List<JsonObject> claimRuns(Map<String, ?> request) {
        long wait = request.get("wait_seconds") instanceof Number seconds ? seconds.longValue() : 0;
        return object("POST", "/runs:claim", request, Option.timeout(timeout.plusSeconds(wait))).objects("runs");
    }

    /** Prolongs the leases of {"run_id", "fence"}; answers for each, in their order: EXTENDED, FENCED or CANCEL. */
    public List<JsonObject> beatRuns(List<? extends Map<String, ?>> runs, long leaseSeconds, Option... options) {
        return results("/runs:heartbeat", JsonObject.of("runs", runs, "lease_seconds", leaseSeconds), options);
    }

    /** Reports how attempts ended; answers for each: OK, FENCED or RETRY. Repeating a report is safe. */
    public List<JsonObject> completeRuns(List<? extends Map<String, ?>> runs, Option... options) {
        return results("/runs:complete", JsonObject.of("runs", runs), options);
    }

    private List<JsonObject> results(String path, JsonObject body, Option... options) {
        Option all = call -> {
            Option.repeatable().applyTo(call);
            List.of(options).forEach(option -> option.applyTo(call));
        };
        return object("POST", path, body, all).objects("results");
    }

    // ---- The whole

    public JsonObject getCluster() {
        return get("/cluster");
    }

    /** How many ticks are to come. Query: hours. */
    public JsonObject getForecast(Option... options) {
        return get("/forecast", options);
    }

    /** The fullest minutes, and changes that would halve them. Query: hours. */
    public JsonObject getForecastAdvice(Option... options) {
        return get("/forecast/advice", options);
    }

    /** Who takes runs, and what waits for them. */
    public JsonObject getWorkers() {
        return get("/workers");
    }

    public JsonObject getStats() {
        return get("/stats");
    }

    /**
     * Changes as they happen, until {@code goOn} returns false; reconnects by itself and continues after the last event seen.
     *
     * @param after the id of the last event you know, or null
     * @param onOpen called whenever the stream is open and every change from then on will be seen
     * @throws Problem once no server answers for longer than the client's patience
     */
    public void events(String after, Runnable onOpen, Predicate<Event> goOn) throws InterruptedException {
        String[] last = {after};
        long[] lost = {0};
        Runnable opened = () -> {
            lost[0] = 0;
            onOpen.run();
        };
        for (boolean more = true; more;) {
            try {
                more = stream(last, opened, goOn);
            } catch (Problem problem) {
                boolean away = problem.kind() == Problem.Kind.UNREACHABLE || problem.kind() == Problem.Kind.TIMED_OUT;
                if (!away || lost[0] >= patience.toMillis()) {
                    throw problem;
                }
            }
            if (more) {
                lost[0] += 500;
                Thread.sleep(500);
            }
        }
    }

    /** Reads one connection to its end; returns whether to go on. */
    private boolean stream(String[] last, Runnable opened, Predicate<Event> goOn) throws InterruptedException {
        Option.Call call = new Option.Call("GET", API + "/events");
        call.timeout = timeout;
        if (last[0] != null) {
            call.headers.put("Last-Event-ID", last[0]);
        }
        HttpResponse<InputStream> response = wire.exchange(call, HttpResponse.BodyHandlers.ofInputStream());
        Timer watchdog = new Timer("belfry-events", true);
        try (InputStream body = response.body();
                BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            if (response.statusCode() >= 300) {
                throw Problem.of(response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8), null);
            }
            Event.Reader reader = new Event.Reader();
            for (boolean isFirst = true;; isFirst = false) {
                TimerTask silence = closing(body);
                watchdog.schedule(silence, SILENCE.toMillis());
                String line = lines.readLine();
                silence.cancel();
                if (line == null) {
                    return true;
                }
                if (isFirst) {
                    opened.run();
                }
                Event event = reader.line(line);
                if (event != null) {
                    last[0] = event.id().isEmpty() ? last[0] : event.id();
                    if (!goOn.test(event)) {
                        return false;
                    }
                }
            }
        } catch (IOException error) {
            throw wire.lost(error);
        } finally {
            watchdog.cancel();
        }
    }

    private static TimerTask closing(InputStream stream) {
        return new TimerTask() {
            @Override
            public void run() {
                try {
                    stream.close();
                } catch (IOException error) {
                    // It is closed already.
                }
            }
        };
    }
}
