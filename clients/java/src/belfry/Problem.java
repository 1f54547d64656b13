package belfry;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Why a call failed: {@link #kind} is what a program handles differently, {@link #code} the server's stable word. */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1;

    public enum Kind {
        /** The same call will be refused again; {@link Problem#errors} names each bad field. */
        INVALID,
        /** There is no such thing, or it is somebody else's. */
        NOT_FOUND,
        /** It contradicts what is there: a name is taken, a version is outdated, a run is over. */
        CONFLICT,
        /** The key, its scope or a limit does not allow it. */
        REFUSED,
        /** No server answered, or it cannot serve just now; nothing was changed. */
        UNREACHABLE,
        /** No answer in time: it may or may not have been done. */
        TIMED_OUT
    }

    private final Kind kind;
    private final int status;
    private final transient JsonObject told;
    private final transient List<FieldError> errors;
    private final Duration retryAfter;

    Problem(Kind kind, String detail, Throwable cause) {
        super(detail, cause);
        this.kind = kind;
        status = 0;
        told = new JsonObject();
        errors = List.of();
        retryAfter = null;
    }

    private Problem(Kind kind, int status, JsonObject told, List<FieldError> errors, String words, Duration retryAfter) {
        super(words);
        this.kind = kind;
        this.status = status;
        this.told = told;
        this.errors = errors;
        this.retryAfter = retryAfter;
    }

    public Kind kind() {
        return kind;
    }

    /** 0: no answer came. */
    public int status() {
        return status;
    }

    /** Empty: the server gave none, or is not a Belfry server. */
    public String code() {
        return told.text("code");
    }

    public List<FieldError> errors() {
        return errors;
    }

    /** For the server's logs. */
    public String requestId() {
        return told.text("instance");
    }

    /** When to try again, or null if the server did not say. */
    public Duration retryAfter() {
        return retryAfter;
    }

    static Problem invalid(String detail) {
        return new Problem(Kind.INVALID, detail, null);
    }

    /** The problem in an answer, even when the answer is not problem+json. */
    static Problem of(int status, String body, Duration retryAfter) {
        JsonObject told = new JsonObject();
        try {
            told = Json.parse(body) instanceof JsonObject object ? object : told;
        } catch (IllegalArgumentException other) {
            // Said below.
        }
        if (told.text("code").isEmpty()) {
            String words = "the server answered " + status + ", and not as Belfry does: check its address";
            return new Problem(kindOf(status), status, new JsonObject(), List.of(), words, retryAfter);
        }
        List<FieldError> errors = told.objects("errors").stream().map(FieldError::of).toList();
        String words = errors.stream().map(FieldError::toString).collect(Collectors.joining("; "));
        for (String name : List.of("detail", "title", "code")) {
            words = words.isEmpty() ? told.text(name) : words;
        }
        return new Problem(kindOf(status), status, told, errors, words, retryAfter);
    }

    private static Kind kindOf(int status) {
        return switch (status) {
            case 401, 403, 429 -> Kind.REFUSED;
            case 404 -> Kind.NOT_FOUND;
            case 409, 412 -> Kind.CONFLICT;
            case 504 -> Kind.TIMED_OUT;
            default -> status < 500 ? Kind.INVALID : Kind.UNREACHABLE;
        };
    }
}
