package belfry;

import java.time.Duration;

/** Thrown by a handler: try again, but only after this long (a day at most). */
public class RetryLater extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final Duration after;

    public RetryLater(String message, Duration after) {
        super(message);
        this.after = after;
    }

    public Duration after() {
        return after;
    }
}
