package belfry;

/**
 * Works on runs of one type. Returning is success, and what it returns is the run's result: anything that {@link Json} writes,
 * or null. {@link RetryLater} and {@link PermanentFailure} say what they mean; any other exception is a failure that is tried
 * again as the job's policy says.
 */
@FunctionalInterface
public interface Handler {
    Object handle(Run run) throws Exception;
}
