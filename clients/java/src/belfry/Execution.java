package belfry;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;

/** One run in the hands of a handler, and the report of its end: no threads, no server. */
final class Execution {
    private static final int LONGEST_ERROR = 60_000; // bytes; the server takes 64 KiB
    private static final long LONGEST_RETRY = 86_400;

    private Execution() {}

    /** Calls the handler; returns what to send with completeRuns. */
    static JsonObject execute(Handler handler, Run run) {
        try {
            Object result = handler.handle(run);
            Json.write(result);
            return report(run, "SUCCEEDED").with("result", result);
        } catch (RetryLater later) {
            Duration after = later.after();
            long seconds = after.toSeconds() + (after.getNano() > 0 ? 1 : 0);
            return failed(run, later.getMessage(), true).with("retry_after_seconds", Math.min(Math.max(seconds, 0), LONGEST_RETRY));
        } catch (PermanentFailure failure) {
            return failed(run, failure.getMessage(), false);
        } catch (Throwable error) { // whatever it was, the run must end
            if (run.isCancelled() || error instanceof Cancelled) {
                return stopped(run);
            }
            logTrace(run, error);
            return failed(run, words(error), true);
        } finally {
            run.forgetCallbacks();
            Thread.interrupted(); // what a callback did to the handler is not for the report
        }
    }

    /** The end of a stopped attempt. Reported at once, so that others continue without waiting for the lease to end. */
    static JsonObject stopped(Run run) {
        String reason = run.cancelReason();
        if (reason.equals("stopping")) { // nobody's fault, so no attempt is used up
            return report(run, "RETURNED");
        }
        return failed(run, "stopped: " + (reason.isEmpty() ? "by its handler" : reason), true);
    }

    /** The server refused the result: it is too large, for example. It would refuse it again. */
    static JsonObject refused(Run run, String why) {
        return failed(run, "the result was refused: " + why, false);
    }

    private static JsonObject failed(Run run, String error, boolean retryable) {
        String words = Notes.cut(String.valueOf(error), LONGEST_ERROR);
        return report(run, "FAILED").with("error", words).with("retryable", retryable);
    }

    private static JsonObject report(Run run, String status) {
        JsonObject report = JsonObject.of("run_id", run.runId(), "fence", run.fence(), "status", status);
        report.putAll(run.notes.fields());
        return report;
    }

    private static String words(Throwable error) {
        String name = error.getClass().getSimpleName();
        return error.getMessage() == null ? name : name + ": " + error.getMessage();
    }

    /** The stack and the chain of causes, for the run's output. */
    private static void logTrace(Run run, Throwable error) {
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace, true));
        trace.toString().lines().forEach(run::log);
    }
}
