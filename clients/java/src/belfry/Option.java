package belfry;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** What may be said beside a call: {@code client.createJob(job, Option.key("…"))}. */
public interface Option {
    void applyTo(Call call);

    /** The Idempotency-Key of a call that creates something: the same key creates once. */
    static Option key(String key) {
        return call -> call.headers.put("Idempotency-Key", key);
    }

    /** Makes a change only if the job still has this version. */
    static Option version(long version) {
        return call -> {
            call.headers.put("If-Match", "\"" + version + "\"");
            call.repeatable = true;
        };
    }

    /** Lets putJob create, but not replace. */
    static Option createOnly() {
        return call -> call.headers.put("If-None-Match", "*");
    }

    /** A parameter of the query, such as a filter of a list. A collection gives its name several times; null gives nothing. */
    static Option query(String name, Object value) {
        return call -> call.query.put(name, value);
    }

    /** How many entries of a list are fetched at a time. */
    static Option page(int entries) {
        return query("limit", entries);
    }

    /** How long one try of the call may take. */
    static Option timeout(Duration length) {
        return call -> call.timeout = length;
    }

    /** For how long the call is repeated while the server cannot serve it. */
    static Option patience(Duration length) {
        return call -> call.patience = length;
    }

    /** May be sent again when no answer came. By default, calls that read, set or delete may. */
    static Option repeatable() {
        return call -> call.repeatable = true;
    }

    /** One call, however often it is sent. */
    final class Call {
        final String method;
        final String path;
        final Map<String, String> headers = new LinkedHashMap<>();
        final Map<String, Object> query = new LinkedHashMap<>();
        String body;
        boolean repeatable;
        Duration timeout;
        Duration patience;

        Call(String method, String path) {
            this.method = method;
            this.path = path;
            repeatable = !method.equals("POST") && !method.equals("PATCH");
        }

        String target() {
            StringJoiner words = new StringJoiner("&", "?", "").setEmptyValue("");
            query.forEach((name, value) -> {
                for (Object each : value instanceof Collection<?> all ? all : java.util.Collections.singletonList(value)) {
                    if (each != null) {
                        words.add(quote(name) + "=" + quote(each.toString()));
                    }
                }
            });
            return path + words;
        }

        static String quote(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        }
    }
}
