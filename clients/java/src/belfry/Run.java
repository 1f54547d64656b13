package belfry;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One attempt of a run, as its handler sees it.
 *
 * <p>A run may be attempted more than once: check {@link #idempotencyKey} (the same for all attempts), or pass {@link #fence} to
 * the system that the work changes, so that it can refuse a lower one.
 */
public final class Run {
    private final JsonObject facts;
    private final long ends; // milliseconds of the boot clock
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final List<Runnable> callbacks = new ArrayList<>();
    private String cancelReason = "";
    final Notes notes;

    Run(JsonObject facts, Duration lease, Runnable onNews) {
        this.facts = facts;
        notes = new Notes(onNews);
        // Our clock may differ, so only lengths of time are taken from the server.
        Instant granted = instant("lease_until").minus(lease);
        ends = BootClock.now() + Duration.between(granted, deadline()).toMillis();
    }

    public String runId() {
        return facts.text("run_id");
    }

    public String attemptId() {
        return facts.text("attempt_id");
    }

    /** From 1. */
    public int attempt() {
        return (int) facts.number("attempt");
    }

    public long fence() {
        return facts.number("fence");
    }

    public String idempotencyKey() {
        return facts.text("idempotency_key");
    }

    /** The attempt's place in the run's trace (W3C Trace Context), to be handed on. */
    public String traceparent() {
        return facts.text("traceparent");
    }

    public String jobId() {
        return facts.text("job_id");
    }

    public String jobName() {
        return facts.text("job_name");
    }

    public String jobType() {
        return facts.text("job_type");
    }

    public String tenantId() {
        return facts.text("tenant_id");
    }

    public Instant scheduledFor() {
        return instant("scheduled_for");
    }

    /** By the server's clock. */
    public Instant deadline() {
        return instant("deadline");
    }

    /** Missed ticks, including its own. */
    public int standsFor() {
        return (int) facts.number("stands_for");
    }

    /** Of any kind of JSON. */
    public Object payload() {
        return facts.get("payload");
    }

    /** The payload if it is an object; a permanent failure otherwise. */
    public JsonObject payloadObject() {
        if (payload() instanceof JsonObject object) {
            return object;
        }
        throw new PermanentFailure("the payload is not an object");
    }

    public JsonObject target() {
        return facts.object("target");
    }

    /** Adds a line to the run's output, which others see while it runs. */
    public void log(String line) {
        notes.log(line);
    }

    /** Says how far the work is; a total of 0 means unknown. */
    public void progress(long done, long total) {
        notes.progress(done, total);
    }

    /** Until the attempt times out; negative once it has. */
    public Duration remaining() {
        return Duration.ofMillis(ends - BootClock.now());
    }

    /** Whether the handler should stop: the run was cancelled, its time or lease is over, or the worker ends. */
    public boolean isCancelled() {
        return cancelled.getCount() == 0;
    }

    /** "requested", "lease_lost", "deadline" or "stopping"; empty while the handler may go on. */
    public synchronized String cancelReason() {
        return cancelReason;
    }

    /** Throws {@link Cancelled} once the handler should stop. */
    public void check() {
        if (isCancelled()) {
            throw new Cancelled(cancelReason());
        }
    }

    /** Waits; throws {@link Cancelled} as soon as the handler should stop. */
    public void sleep(Duration length) throws InterruptedException {
        if (cancelled.await(length.toMillis(), TimeUnit.MILLISECONDS)) {
            check();
        }
    }

    /**
     * The callback is called once the handler should stop, from another thread; at once if that is already so. To interrupt
     * what blocks: {@code run.onCancel(Thread.currentThread()::interrupt)}.
     */
    public void onCancel(Runnable callback) {
        synchronized (this) {
            if (!isCancelled()) {
                callbacks.add(callback);
                return;
            }
        }
        callback.run();
    }

    /** For the worker and for tests to call; the first reason stays. */
    public void cancel(String reason) {
        List<Runnable> waiting;
        synchronized (this) {
            if (isCancelled()) {
                return;
            }
            cancelReason = reason;
            cancelled.countDown();
            waiting = List.copyOf(callbacks);
            callbacks.clear();
        }
        waiting.forEach(Runnable::run);
    }

    /** Nobody is called any more: the handler has ended. */
    synchronized void forgetCallbacks() {
        callbacks.clear();
    }

    private Instant instant(String name) {
        return OffsetDateTime.parse(facts.text(name)).toInstant();
    }
}
