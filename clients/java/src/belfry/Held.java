package belfry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A run this worker holds. */
final class Held {
    private static final int MOST_LETTERS = 1_000_000; // of output in one call; each may take several bytes there

    final Run run;
    private long leaseUntil; // milliseconds of the boot clock
    private int told; // the version of its notes the server has
    private boolean lost;
    private boolean reporting;

    Held(Run run, long leaseUntil) {
        this.run = run;
        this.leaseUntil = leaseUntil;
    }

    /** The beat of each run, and the version of its notes in it. */
    record Beats(List<JsonObject> beats, List<Integer> versions) {
        /** At most what one call may hold: the rest follows next time. */
        static Beats of(List<Held> runs) {
            Beats all = new Beats(new ArrayList<>(), new ArrayList<>());
            int letters = 0;
            for (Held held : runs) {
                int version = held.run.notes.version();
                boolean withNews = version > held.told() && letters < MOST_LETTERS;
                JsonObject beat = JsonObject.of("run_id", held.run.runId(), "fence", held.run.fence());
                if (withNews) {
                    beat.putAll(held.run.notes.fields());
                }
                letters += beat.text("log").length();
                all.beats.add(beat);
                all.versions.add(withNews ? version : held.told());
            }
            return all;
        }
    }

    synchronized int told() {
        return told;
    }

    synchronized boolean isLost() {
        return lost;
    }

    synchronized boolean isReporting() {
        return reporting;
    }

    /** Whether the lease was granted longer ago than a third of its length. */
    synchronized boolean isLate(Duration lease) {
        return BootClock.now() >= leaseUntil - lease.toMillis() * 2 / 3;
    }

    synchronized boolean isOverdue() {
        return BootClock.now() >= leaseUntil;
    }

    /** True once: a run is reported when its handler ends, or given back when the worker ends. */
    synchronized boolean beginReport() {
        boolean first = !reporting;
        reporting = true;
        return first;
    }

    /** Returns whether that is news. */
    boolean lose() {
        boolean first;
        synchronized (this) {
            first = !lost;
            lost = true;
        }
        run.cancel("lease_lost");
        return first;
    }

    synchronized void prolong(long until) {
        leaseUntil = until;
    }

    synchronized void tell(int version) {
        told = version;
    }
}
