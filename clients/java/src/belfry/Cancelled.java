package belfry;

/** Thrown by {@link Run#check}: the handler should stop; nobody waits for its result. */
public class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Cancelled(String reason) {
        super(reason);
    }
}
