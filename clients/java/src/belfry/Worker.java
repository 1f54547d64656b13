package belfry;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Claims runs, hands them to your handlers, and reports how they ended.
 *
 * <pre>{@code
 * Worker worker = new Worker(Client.fromEnv(), new Worker.Settings().concurrency(8));
 * worker.handle("invoice.monthly", run -> {
 *     run.check(); // throws when the run is cancelled or lost
 *     return JsonObject.of("sent", true);
 * });
 * worker.run(); // until SIGTERM, then drains
 * }</pre>
 *
 * The worker's own thread prolongs leases after a third of their length. A lost lease cancels the handler, and what it returns
 * is not reported.
 */
public final class Worker {
    private static final System.Logger LOG = System.getLogger("belfry");
    private static final int MOST_RUNS = 1000; // in one call
    private static final Duration NEWS_EVERY = Duration.ofSeconds(1); // what handlers show is sent together

    /** How a worker works; all of it may be left out. */
    public static final class Settings {
        private String workerId = hostname() + "-" + ProcessHandle.current().pid();
        private int concurrency = 8;
        private Duration lease = Duration.ofSeconds(30);
        private Duration grace = Duration.ofSeconds(30);
        private Duration claimWait = Duration.ofSeconds(20);
        private String region;
        private Duration afterCancel = Duration.ofSeconds(5);

        /** Shown in the history; host and process id by default. */
        public Settings workerId(String name) {
            workerId = name;
            return this;
        }

        /** How many handlers may run at a time; 8 by default. */
        public Settings concurrency(int handlers) {
            concurrency = handlers;
            return this;
        }

        /** For how long a run stays ours without a heartbeat, in whole seconds; 30 s by default. */
        public Settings lease(Duration length) {
            lease = length;
            return this;
        }

        /** What running handlers get when the worker ends; 30 s by default. */
        public Settings grace(Duration length) {
            grace = length;
            return this;
        }

        /** For how long one call waits for runs, in whole seconds; 20 s by default. */
        public Settings claimWait(Duration length) {
            claimWait = length;
            return this;
        }

        /** Where we are, and whose runs we get; by default the region of the node that we ask. */
        public Settings region(String name) {
            region = name;
            return this;
        }

        /** What a handler has to notice that the worker ends; for tests. */
        Settings afterCancel(Duration length) {
            afterCancel = length;
            return this;
        }
    }

    private final Client client;
    private final Settings settings;
    private final Map<String, Handler> handlers = new TreeMap<>();

    // Guarded by this worker's monitor, which is notified of changes.
    private final Set<Held> held = new LinkedHashSet<>();
    private boolean stopping;
    private boolean hurrying;
    private boolean closed;

    private final Object bell = new Object(); // guards news
    private boolean news;
    private volatile Thread claims;

    public Worker(Client client) {
        this(client, new Settings());
    }

    public Worker(Client client, Settings settings) {
        boolean good = settings.lease.toSeconds() >= 1 && settings.lease.toSeconds() <= 3600;
        if (!good || settings.claimWait.isNegative() || settings.claimWait.toSeconds() > 60 || settings.concurrency < 1) {
            throw new IllegalArgumentException("lease is 1 to 3600 s, claimWait 0 to 60 s, concurrency at least 1");
        }
        this.client = client;
        this.settings = settings;
    }

    // ---- For users

    public String workerId() {
        return settings.workerId;
    }

    /** Sets the handler for runs of this type. */
    public Worker handle(String jobType, Handler handler) {
        if (handlers.putIfAbsent(jobType, handler) != null) {
            throw new IllegalArgumentException("there is a handler for " + jobType + " already");
        }
        return this;
    }

    /** Works until {@link #stop}, SIGTERM or SIGINT; returns when drained. Call it once only. */
    public void run() {
        checkHandlers();
        Runnable restore = Signals.onStop(this::stop);
        try {
            runUntilStopped();
        } finally {
            restore.run();
        }
    }

    private void checkHandlers() {
        if (handlers.isEmpty()) {
            throw new IllegalStateException("a worker needs at least one handler");
        }
    }

    /** The same without a look at signals. */
    public void runUntilStopped() {
        checkHandlers();
        Thread beats = start("belfry-beats", this::beatLoop);
        claims = start("belfry-claims", this::claimLoop);
        LOG.log(System.Logger.Level.INFO, "worker " + settings.workerId + " works on " + String.join(", ", handlers.keySet()));
        try {
            synchronized (this) {
                while (!stopping) {
                    wait();
                }
            }
            claims.interrupt(); // the server is told that nobody waits any more
            claims.join();
            drain();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // without a word to anybody: leases bring the runs to others
        } finally {
            synchronized (this) {
                stopping = true;
                closed = true;
                notifyAll();
            }
            ring();
            claims.interrupt();
            beats.interrupt();
        }
    }

    /** Takes no new work; handlers may end within the grace. A second call: without grace. From any thread. */
    public synchronized void stop() {
        hurrying = stopping;
        stopping = true;
        notifyAll();
    }

    /** Calls the handler as for a run, without a server; returns what would be reported. For tests. */
    public JsonObject tryOut(String jobType, Object payload) {
        return tryOut(jobType, payload, Map.of());
    }

    /** The same, with facts other than a sample's: {@code Map.of("attempt", 2)}. */
    public JsonObject tryOut(String jobType, Object payload, Map<String, ?> facts) {
        Handler handler = handlers.get(jobType);
        if (handler == null) {
            throw new IllegalArgumentException("there is no handler for " + jobType);
        }
        return Execution.execute(handler, Sample.run(jobType, payload, facts));
    }

    // ---- Claiming

    private void claimLoop() {
        for (int failures = 0; awaitRoom();) {
            long sent = BootClock.now();
            try {
                JsonObject request = JsonObject.of(
                        "worker_id", settings.workerId, "job_types", List.copyOf(handlers.keySet()), "max_runs", room(),
                        "lease_seconds", settings.lease.toSeconds(), "wait_seconds", settings.claimWait.toSeconds());
                if (settings.region != null) {
                    request.put("region", settings.region);
                }
                for (JsonObject run : client.claimRuns(request)) {
                    // The server may have waited before it granted the run; all other time since the question is the answer's way.
                    begin(run, sent + run.number("waited_ms"));
                }
                failures = 0;
            } catch (RuntimeException error) { // of whatever kind: no other thread claims
                if (isStopping()) {
                    return;
                }
                failures = Math.min(failures + 1, 6);
                warn("no runs can be claimed: " + words(error));
                long pause = Math.min(250L << failures, 10_000);
                pauseUnlessStopping(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1));
            }
        }
    }

    /** Waits until one more run may be worked on; false when the worker ends. */
    private synchronized boolean awaitRoom() {
        try {
            while (!stopping && held.size() >= settings.concurrency) {
                wait();
            }
        } catch (InterruptedException ending) {
            return false;
        }
        return !stopping;
    }

    private synchronized int room() {
        return Math.min(settings.concurrency - held.size(), MOST_RUNS);
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    private synchronized void pauseUnlessStopping(long milliseconds) {
        try {
            if (!stopping) {
                wait(milliseconds);
            }
        } catch (InterruptedException ending) {
            // The loop looks whether it is so.
        }
    }

    private void begin(JsonObject facts, long granted) {
        Run run = new Run(facts, settings.lease, this::ring);
        Held mine = new Held(run, Math.min(BootClock.now(), granted) + settings.lease.toMillis());
        synchronized (this) {
            held.add(mine);
        }
        try {
            start("belfry-" + run.runId(), () -> work(mine));
        } catch (Error noThread) { // the lease brings the run to another worker
            release(mine);
            warn("run " + run.runId() + " finds no thread: " + noThread);
        }
    }

    private void work(Held mine) {
        try {
            if (makeSure(mine)) {
                JsonObject report = Execution.execute(handlers.get(mine.run.jobType()), mine.run);
                if (mine.beginReport()) { // otherwise the worker ended meanwhile and gave the run back
                    report(mine, report);
                }
            }
        } finally {
            release(mine);
        }
    }

    private synchronized void release(Held mine) {
        held.remove(mine);
        notifyAll();
    }

    /**
     * A run that was granted longer ago than a third of its lease may be somebody else's by now: it begins only after a
     * heartbeat. Returns whether it is ours.
     */
    private boolean makeSure(Held mine) {
        while (!checkLost(mine) && mine.isLate(settings.lease)) {
            warn("run " + mine.run.runId() + " (fence " + mine.run.fence() + ") came late: a heartbeat goes first");
            if (!beatSome(List.of(mine))) {
                pause();
            }
        }
        return !mine.isLost();
    }

    // ---- Reporting

    /** Repeats the report until it is answered, or the run belongs to somebody else. */
    private void report(Held mine, JsonObject first) {
        JsonObject report = first;
        while (!checkLost(mine) && !isClosed()) {
            Thread.interrupted(); // a late callback of the handler may have set it
            String answer = "RETRY";
            try {
                answer = client.completeRuns(List.of(report), Option.timeout(settings.lease)).get(0).text("answer");
            } catch (RuntimeException error) {
                if (error instanceof Problem problem && problem.kind() == Problem.Kind.INVALID) {
                    if (report != first) {
                        LOG.log(System.Logger.Level.ERROR, "run " + mine.run.runId() + " cannot be reported: " + words(error));
                        return;
                    }
                    report = Execution.refused(mine.run, error.getMessage());
                    continue;
                }
                warn("run " + mine.run.runId() + " is not reported yet: " + words(error));
            }
            if (answer.equals("OK")) {
                String words = "run " + mine.run.runId() + " (attempt " + mine.run.attempt() + "): " + report.text("status");
                LOG.log(System.Logger.Level.INFO, words);
                return;
            }
            if (answer.equals("FENCED")) {
                lose(mine, "its report was answered FENCED");
                return;
            }
            pause();
        }
    }

    private boolean checkLost(Held mine) {
        if (!mine.isLost() && mine.isOverdue()) {
            lose(mine, "no heartbeat was answered for the length of its lease");
        }
        return mine.isLost();
    }

    private static void lose(Held mine, String why) {
        if (mine.lose()) {
            warn("run " + mine.run.runId() + " (fence " + mine.run.fence() + ") is lost: " + why);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Between two tries of something that other runs wait for, too. */
    private synchronized void pause() {
        long until = BootClock.now() + Math.min(1000, settings.lease.toMillis() / 10);
        try {
            for (long left = until - BootClock.now(); !closed && left > 0; left = until - BootClock.now()) {
                wait(left);
            }
        } catch (InterruptedException late) {
            // Meant for a handler that has ended; then the pause is short.
        }
    }

    // ---- Heartbeats

    private void beatLoop() {
        long usual = settings.lease.toMillis() / 3;
        long pause = usual;
        while (!isClosed()) {
            try {
                if (awaitNews(untilDeadline(pause))) {
                    Thread.sleep(Math.min(NEWS_EVERY.toMillis(), settings.lease.toMillis() / 6));
                    synchronized (bell) {
                        news = false;
                    }
                }
            } catch (InterruptedException ending) {
                return;
            }
            pause = beat() ? usual : Math.min(1000, settings.lease.toMillis() / 10);
        }
    }

    private void ring() {
        synchronized (bell) {
            news = true;
            bell.notifyAll();
        }
    }

    private boolean awaitNews(long milliseconds) throws InterruptedException {
        synchronized (bell) {
            if (!news && milliseconds > 0) {
                bell.wait(milliseconds);
            }
            return news;
        }
    }

    private long untilDeadline(long pause) {
        long soonest = pause;
        for (Held each : inHand()) {
            if (!each.run.isCancelled()) {
                soonest = Math.min(soonest, each.run.remaining().toMillis());
            }
        }
        return Math.max(0, soonest);
    }

    /** Prolongs all leases; returns whether the server answered. */
    private boolean beat() {
        List<Held> runs = new ArrayList<>(inHand());
        runs.removeIf(Held::isLost);
        for (Held each : runs) {
            if (each.run.remaining().toMillis() <= 0) {
                each.run.cancel("deadline");
            }
        }
        boolean answered = true;
        for (int first = 0; first < runs.size(); first += MOST_RUNS) {
            answered &= beatSome(runs.subList(first, Math.min(first + MOST_RUNS, runs.size())));
        }
        for (Held each : runs) {
            if (!each.isReporting()) {
                checkLost(each);
            }
        }
        return answered;
    }

    private boolean beatSome(List<Held> runs) {
        long start = BootClock.now(); // the lease began no earlier
        Held.Beats said = Held.Beats.of(runs);
        Duration timeout = Duration.ofMillis(Math.max(1000, settings.lease.toMillis() / 3));
        List<JsonObject> answers;
        try {
            Option[] options = {Option.timeout(timeout), Option.patience(Duration.ZERO)};
            answers = client.beatRuns(said.beats(), settings.lease.toSeconds(), options);
            if (answers.size() != runs.size()) {
                throw new IllegalStateException(answers.size() + " answers to " + runs.size() + " heartbeats");
            }
        } catch (RuntimeException error) { // of whatever kind: no other thread beats
            warn("heartbeats are not answered: " + words(error));
            return false;
        }
        for (int i = 0; i < runs.size(); ++i) {
            runs.get(i).tell(said.versions().get(i));
            if (runs.get(i).run.notes.version() > said.versions().get(i)) {
                ring(); // there is more to tell
            }
            heed(runs.get(i), answers.get(i).text("answer"), start);
        }
        return true;
    }

    /** Does what the answer to a heartbeat says. */
    private void heed(Held mine, String answer, long start) {
        if (!answer.equals("FENCED")) {
            mine.prolong(start + settings.lease.toMillis());
        } else if (!mine.isReporting()) { // a run that has just ended is fenced too; its report will tell
            lose(mine, "its heartbeat was answered FENCED");
        }
        if (answer.equals("CANCEL")) {
            mine.run.cancel("requested");
        }
    }

    // ---- The end

    private void drain() throws InterruptedException {
        LOG.log(System.Logger.Level.INFO, "worker " + settings.workerId + " stops; " + inHand().size() + " runs in hand");
        if (awaitAll(settings.grace, true)) {
            return;
        }
        for (Held each : inHand()) {
            each.run.cancel("stopping");
        }
        if (awaitAll(settings.afterCancel, false)) {
            return;
        }
        for (Held each : inHand()) { // their handlers do not listen; others continue the runs
            if (each.beginReport()) {
                report(each, Execution.stopped(each.run));
            }
        }
    }

    /** Waits, at most this long, until nothing is in hand; returns whether that is so. Another stop ends the wait. */
    private synchronized boolean awaitAll(Duration longest, boolean mayHurry) throws InterruptedException {
        long giveUp = BootClock.now() + longest.toMillis();
        while (!held.isEmpty() && !(mayHurry && hurrying)) {
            long left = giveUp - BootClock.now();
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        return held.isEmpty();
    }

    private synchronized List<Held> inHand() {
        return List.copyOf(held);
    }

    private static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void warn(String words) {
        LOG.log(System.Logger.Level.WARNING, words);
    }

    private static String words(Throwable error) {
        return error instanceof Problem ? error.getMessage() : error.toString();
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "java";
        }
    }
}
