package belfry;

import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The worker that tests/clients/test_workers.py drives: E2eWorker '{"server": …, "worker_id": …, "prefix": …, "sink": …, …}'
 *
 * <p>Each handler's type is the prefix and its name. Events are written to standard output, one JSON object per line.
 */
public final class E2eWorker {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final JsonObject settings;
    private final Client client;
    private final Worker worker;
    private final AtomicInteger active = new AtomicInteger();

    private E2eWorker(JsonObject settings) {
        this.settings = settings;
        client = new Client(settings.text("server"));
        worker = new Worker(client, new Worker.Settings()
                .workerId(settings.text("worker_id"))
                .lease(seconds("lease", 30))
                .grace(seconds("grace", 30))
                .concurrency((int) seconds("concurrency", 8).toSeconds()));
    }

    private Duration seconds(String name, long usual) {
        return Duration.ofSeconds(settings.containsKey(name) ? settings.number(name) : usual);
    }

    private static synchronized void tell(String event, Run run, Object... facts) {
        JsonObject told = JsonObject.of(facts).with("event", event);
        if (run != null) {
            told.with("run", run.runId()).with("fence", run.fence()).with("attempt", run.attempt());
        }
        OUT.println(Json.write(told));
    }

    private void handle(String name, belfry.Handler handler) {
        worker.handle(settings.text("prefix") + name, run -> {
            tell("started", run);
            return handler.handle(run);
        });
    }

    /** Changes something that checks fences; returns the status of the answer. */
    private int effect(Run run) throws Exception {
        String body = Json.write(JsonObject.of("fence", run.fence()));
        HttpRequest request = HttpRequest.newBuilder(URI.create(settings.text("sink"))).POST(HttpRequest.BodyPublishers.ofString(body)).build();
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private Object gate(Run run) throws Exception {
        run.log("at the gate");
        run.progress(1, 2);
        while (!Files.exists(Path.of((String) run.payload()))) {
            run.sleep(Duration.ofMillis(50));
        }
        run.log("through");
        return "passed";
    }

    /** The first attempt runs until it is stopped, and then does not obey; later ones end well. */
    private Object hold(Run run) throws Exception {
        if (run.attempt() > 1) {
            return JsonObject.of("by", worker.workerId(), "effect", effect(run));
        }
        try {
            run.sleep(Duration.ofDays(1));
        } catch (Cancelled stopped) {
            tell("cancelled", run, "reason", run.cancelReason());
        }
        if (run.cancelReason().equals("lease_lost")) {
            JsonObject report = JsonObject.of("run_id", run.runId(), "fence", run.fence(), "status", "SUCCEEDED", "result", "too late");
            String answer = client.completeRuns(List.of(report)).get(0).text("answer");
            tell("late", run, "answer", answer, "effect", effect(run));
        }
        throw new Cancelled(run.cancelReason());
    }

    private void run() {
        handle("ok", run -> JsonObject.of("payload", run.payload()));
        handle("fail", run -> {
            throw new IllegalStateException("attempt " + run.attempt() + " failed");
        });
        handle("permanent", run -> {
            throw new PermanentFailure("no such customer");
        });
        handle("later", run -> {
            if (run.attempt() == 1) {
                throw new RetryLater("busy", Duration.ofSeconds(1));
            }
            return null;
        });
        handle("large", run -> "x".repeat(100_000));
        handle("count", run -> {
            int seen = active.incrementAndGet();
            run.sleep(Duration.ofMillis(100));
            active.decrementAndGet();
            return seen;
        });
        handle("long", run -> {
            run.sleep(Duration.ofSeconds((Long) run.payload()));
            return "done";
        });
        handle("gate", this::gate);
        handle("hold", this::hold);
        worker.run();
        tell("ended", null);
    }

    public static void main(String[] arguments) {
        Logger log = Logger.getLogger("belfry");
        log.setUseParentHandlers(false);
        log.setLevel(Level.INFO);
        log.addHandler(new Handler() {
            @Override
            public void publish(LogRecord record) {
                tell("log", null, "message", record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        new E2eWorker((JsonObject) Json.parse(arguments[0])).run();
    }
}
