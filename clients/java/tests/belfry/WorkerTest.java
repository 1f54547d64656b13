package belfry;

import static belfry.Tests.equal;
import static belfry.Tests.holds;
import static belfry.Tests.thrown;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The worker against a fake client, and handlers without any server. */
public final class WorkerTest {
    private WorkerTest() {}

    /** Hands out one run; answers as a test says. */
    private static final class FakeClient extends Client {
        private final String beats;
        private final Deque<Object> ends = new ArrayDeque<>();
        final List<Map<String, ?>> reports = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger claims = new AtomicInteger();
        final List<Object> regions = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger beaten = new AtomicInteger();
        final CountDownLatch reported = new CountDownLatch(1);
        long late; // milliseconds that the answer to the claim takes
        long waited; // of those, what the server waited before it granted

        FakeClient(String beats, Object... ends) {
            super("http://127.0.0.1:2");
            this.beats = beats;
            this.ends.addAll(List.of(ends));
        }

        private static void pass(long milliseconds) {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public List<JsonObject> claimRuns(Map<String, ?> request) {
            boolean first = claims.incrementAndGet() == 1;
            regions.add(request.get("region"));
            pass(first ? late : 10);
            return first ? List.of(Sample.facts("t", "p").with("waited_ms", waited)) : List.of();
        }

        @Override
        public List<JsonObject> beatRuns(List<? extends Map<String, ?>> runs, long leaseSeconds, Option... options) {
            beaten.incrementAndGet();
            if (beats.equals("down")) {
                throw new Problem(Problem.Kind.UNREACHABLE, "down", null);
            }
            return runs.stream().map(run -> JsonObject.of("run_id", run.get("run_id"), "answer", beats)).toList();
        }

        @Override
        public synchronized List<JsonObject> completeRuns(List<? extends Map<String, ?>> runs, Option... options) {
            reports.addAll(runs);
            Object end = ends.isEmpty() ? "OK" : ends.remove();
            if (end instanceof RuntimeException error) {
                throw error;
            }
            if (end.equals("OK")) {
                reported.countDown();
            }
            return List.of(JsonObject.of("answer", end));
        }

        List<Object> statuses() {
            List<Object> all = new ArrayList<>();
            reports.forEach(each -> all.add(each.get("status")));
            return all;
        }
    }

    private static Worker.Settings lease(long seconds) {
        return new Worker.Settings().lease(Duration.ofSeconds(seconds));
    }

    /** Runs a worker with this handler until the latch is open. */
    private static void work(FakeClient client, Worker.Settings settings, Handler handler, CountDownLatch until) throws Exception {
        Worker worker = new Worker(client, settings).handle("t", handler);
        Thread thread = new Thread(worker::runUntilStopped);
        thread.start();
        until.await();
        worker.stop();
        thread.join();
    }

    private static JsonObject report(Handler handler) {
        return new Worker(new Client("http://127.0.0.1:2")).handle("t", handler).tryOut("t", 3, Map.of("attempt", 2));
    }

    private static Handler fails(Exception error) {
        return run -> {
            throw error;
        };
    }

    static void testReturningIsSuccess() {
        JsonObject report = report(run -> List.of(run.payload(), run.attempt()));
        equal(report, JsonObject.of("run_id", "0".repeat(32), "fence", 1L, "status", "SUCCEEDED", "result", List.of(3, 2)));
    }

    static void testErrors() {
        JsonObject report = report(fails(new IllegalStateException("no route")));
        equal(List.of(report.get("status"), report.get("error"), report.get("retryable")), List.of("FAILED", "IllegalStateException: no route", true));
        report = report(fails(new PermanentFailure("no such customer")));
        equal(List.of(report.get("error"), report.get("retryable")), List.of("no such customer", false));
        report = report(fails(new RetryLater("busy", Duration.ofMillis(1200))));
        equal(List.of(report.get("error"), report.get("retryable"), report.get("retry_after_seconds")), List.of("busy", true, 2L));
        equal(report(fails(new RetryLater("never", Duration.ofDays(9)))).get("retry_after_seconds"), 86400L);
        equal(report(run -> run.payloadObject()).get("retryable"), false);
        equal(report(run -> {
            throw new StackOverflowError();
        }).get("error"), "StackOverflowError");
    }

    static void testStacksAndCausesReachTheLog() {
        Exception cause = new java.io.FileNotFoundException("/etc/nothing");
        String log = report(fails(new IllegalStateException("no settings", cause))).text("log");
        for (String words : List.of("IllegalStateException: no settings\n", "Caused by: java.io.FileNotFoundException: /etc/nothing", "WorkerTest.java:")) {
            holds(log.contains(words), log);
        }
        equal(report(fails(new PermanentFailure("no"))).text("log"), "");
    }

    static void testWhatIsShownIsReportedWithoutTheMiddleOfTooMuch() {
        JsonObject report = report(run -> {
            for (int number = 0; number < 10_000; ++number) {
                run.log("line " + number);
            }
            run.progress(-2, 3);
            return null;
        });
        String log = report.text("log");
        holds(log.length() < 65536 && log.startsWith("line 0\n") && log.endsWith("line 9999\n"), log.length());
        holds(log.contains("lines left out"), log);
        equal(report.get("progress"), JsonObject.of("done", 0L, "total", 3L));
    }

    static void testALongErrorIsCutAndAResultThatIsNoJsonIsAFailure() {
        String error = report(fails(new PermanentFailure("ü".repeat(100_000)))).text("error");
        holds(error.endsWith("ü") && error.length() <= 30_000, error.length());
        equal(report(run -> new Object()).get("status"), "FAILED");
        equal(report(run -> Double.NaN).get("status"), "FAILED");
    }

    static void testARunSaysOnceWhyItIsOver() {
        Run run = Sample.run("t", null, Map.of());
        List<String> called = new ArrayList<>();
        run.onCancel(() -> called.add("before"));
        run.check();
        run.cancel("requested");
        run.cancel("stopping");
        run.onCancel(() -> called.add("after"));
        equal(run.cancelReason() + called, "requested[before, after]");
        thrown(Cancelled.class, run::check);
    }

    static void testAnInterruptedHandlerIsReportedAsStopped() {
        JsonObject report = report(run -> {
            run.onCancel(Thread.currentThread()::interrupt);
            run.cancel("requested");
            Thread.sleep(60_000);
            return "never";
        });
        equal(report.text("error"), "stopped: requested");
        equal(Thread.interrupted(), false);
    }

    static void testItSaysWhereItIsIfItWasTold() throws Exception {
        FakeClient silent = new FakeClient("EXTENDED");
        work(silent, new Worker.Settings(), run -> null, silent.reported);
        equal(silent.regions.get(0), null);
        FakeClient told = new FakeClient("EXTENDED");
        work(told, new Worker.Settings().region("eu"), run -> null, told.reported);
        equal(told.regions.get(0), "eu");
    }

    static void testTimeLeftDoesNotDependOnOurClock() {
        long left = Sample.run("t", null, Map.of()).remaining().toSeconds(); // from January 2026, whatever day it is
        holds(left > 200 && left <= 300, left);
    }

    private static Handler hold(List<String> reasons, CountDownLatch over) {
        return run -> {
            try {
                run.sleep(Duration.ofMinutes(1));
            } catch (Cancelled stopped) {
                reasons.add(run.cancelReason());
            }
            over.countDown();
            return "nobody wants it";
        };
    }

    static void testALostLeaseCancelsAndNothingIsReported() throws Exception {
        for (String beats : List.of("FENCED", "down")) {
            FakeClient client = new FakeClient(beats);
            List<String> reasons = Collections.synchronizedList(new ArrayList<>());
            CountDownLatch over = new CountDownLatch(1);
            work(client, lease(1), hold(reasons, over), over);
            equal(reasons, List.of("lease_lost"));
            equal(client.reports, List.of());
        }
    }

    static void testACancelledRunIsReported() throws Exception {
        FakeClient client = new FakeClient("CANCEL");
        List<String> reasons = Collections.synchronizedList(new ArrayList<>());
        work(client, lease(1), hold(reasons, new CountDownLatch(1)), client.reported);
        equal(reasons, List.of("requested"));
        equal(client.statuses(), List.of("SUCCEEDED"));
    }

    static void testAReportIsRepeatedUntilItIsAnswered() throws Exception {
        FakeClient client = new FakeClient("EXTENDED", new Problem(Problem.Kind.UNREACHABLE, "down", null), "RETRY");
        work(client, lease(1), run -> run.payload(), client.reported);
        equal(client.statuses(), List.of("SUCCEEDED", "SUCCEEDED", "SUCCEEDED"));
    }

    static void testARefusedReportIsSaidInOtherWordsOnce() throws Exception {
        FakeClient client = new FakeClient("EXTENDED", Problem.invalid("too large"));
        work(client, lease(30), run -> run.payload(), client.reported);
        equal(client.statuses(), List.of("SUCCEEDED", "FAILED"));
        equal(client.reports.get(1).get("retryable"), false);
    }

    /** How many beats there were when the handler was called, each time. The answer to the claim comes late. */
    private static List<Integer> begun(FakeClient client) throws Exception {
        client.late = 1050;
        List<Integer> begun = Collections.synchronizedList(new ArrayList<>());
        Worker worker = new Worker(client, lease(3)).handle("t", run -> begun.add(client.beaten.get()));
        Thread thread = new Thread(worker::runUntilStopped);
        thread.start();
        while (client.claims.get() < 2) {
            Thread.onSpinWait();
        }
        worker.stop(); // drains: what was claimed has ended when it returns
        thread.join();
        return begun;
    }

    static void testARunThatCameLateBeginsAfterABeat() throws Exception {
        FakeClient client = new FakeClient("EXTENDED");
        holds(begun(client).get(0) > 0, "it began before a beat");
        equal(client.statuses(), List.of("SUCCEEDED"));
    }

    static void testWhatIsSomebodyElsesDoesNotBegin() throws Exception {
        for (String beats : List.of("FENCED", "down")) {
            FakeClient client = new FakeClient(beats);
            equal(begun(client), List.of());
            equal(client.reports, List.of());
        }
    }

    static void testWhatTheServerWaitedDoesNotCount() throws Exception {
        FakeClient client = new FakeClient("EXTENDED");
        client.waited = 1050;
        equal(begun(client), List.of(0));
    }

    static void testHeartbeatsDoNotOutgrowACall() {
        List<Held> runs = new ArrayList<>();
        for (int number = 0; number < 100; ++number) {
            Run run = Sample.run("t", null, Map.of("run_id", "run " + number));
            for (int line = 0; line < 10; ++line) {
                run.log("x".repeat(5_000));
            }
            runs.add(new Held(run, 0));
        }
        java.util.Set<String> told = new java.util.HashSet<>();
        for (int round = 0; round < 10; ++round) {
            Held.Beats said = Held.Beats.of(runs);
            int letters = 0;
            for (int i = 0; i < runs.size(); ++i) {
                JsonObject beat = said.beats().get(i);
                letters += beat.text("log").length();
                if (beat.containsKey("log")) {
                    told.add(beat.text("run_id"));
                }
                runs.get(i).tell(said.versions().get(i));
            }
            holds(letters < 1_100_000, letters);
        }
        equal(told.size(), 100);
    }

    static void testAHandlerThatDoesNotListenIsLeftBehind() throws Exception {
        FakeClient client = new FakeClient("EXTENDED");
        CountDownLatch started = new CountDownLatch(1);
        Worker.Settings settings = lease(30).grace(Duration.ZERO).afterCancel(Duration.ofMillis(50));
        work(client, settings, run -> {
            started.countDown();
            new CountDownLatch(1).await();
            return null;
        }, started);
        equal(client.statuses(), List.of("RETURNED"));
    }

    static void testBadSettingsAreRefused() {
        Client client = new Client("http://127.0.0.1:2");
        List<Worker.Settings> bad = List.of(
                lease(0), lease(3601), new Worker.Settings().concurrency(0), new Worker.Settings().claimWait(Duration.ofSeconds(61)));
        bad.forEach(settings -> thrown(IllegalArgumentException.class, () -> new Worker(client, settings)));
        thrown(IllegalStateException.class, () -> new Worker(client).run());
    }

    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("belfry").setLevel(Level.OFF);
        Tests.run(WorkerTest.class);
    }
}
