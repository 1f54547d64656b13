package belfry;

/** Thrown by a handler: trying again is useless. The run goes to the dead letters. */
public class PermanentFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public PermanentFailure(String message) {
        super(message);
    }

    public PermanentFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
