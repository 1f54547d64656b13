package belfry;

/**
 * One bad field of a request.
 *
 * @param pointer in the body: "/cron_expression"
 * @param parameter of the query, if it is not the body that is wrong
 */
public record FieldError(String pointer, String code, String message, String hint, String parameter, String header) {
    static FieldError of(JsonObject told) {
        return new FieldError(
                told.text("pointer"), told.text("code"), told.text("message"), told.text("hint"), told.text("parameter"), told.text("header"));
    }

    @Override
    public String toString() {
        String place = !parameter.isEmpty() ? parameter : !header.isEmpty() ? header : pointer.replaceFirst("^/", "");
        return (place.isEmpty() ? "" : place + ": ") + message + (hint.isEmpty() ? "" : "; " + hint);
    }
}
