package belfry;

import java.util.ArrayList;
import java.util.List;

/**
 * What changed.
 *
 * @param name "jobs", "runs", or "reset": events were missed, read lists again
 */
public record Event(String id, String name, Object data) {
    /** Assembles server-sent events from lines, as the HTML standard says. */
    static final class Reader {
        private String id = "";
        private String name = "";
        private final List<String> data = new ArrayList<>();

        /** An event once it is whole; null before. */
        Event line(String line) {
            if (line.isEmpty()) {
                Event event = data.isEmpty() ? null : new Event(id, name.isEmpty() ? "message" : name, Json.parse(String.join("\n", data)));
                name = "";
                data.clear();
                return event;
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
            switch (field) {
                case "id" -> id = value;
                case "event" -> name = value;
                case "data" -> data.add(value);
                default -> { /* comments, and what later versions may say */ }
            }
            return null;
        }
    }
}
