package belfry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON object, in the order in which it was written. */
public final class JsonObject extends LinkedHashMap<String, Object> {
    private static final long serialVersionUID = 1;

    public JsonObject() {}

    public JsonObject(Map<String, ?> fields) {
        super(fields);
    }

    /** An object of names and values, one after the other: {@code JsonObject.of("job_name", "nightly", "every", "1d")}. */
    public static JsonObject of(Object... namesAndValues) {
        JsonObject object = new JsonObject();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    /** This object, with one more field. */
    public JsonObject with(String name, Object value) {
        put(name, value);
        return this;
    }

    /** The field as a text; "" if there is none. */
    public String text(String name) {
        return get(name) instanceof String text ? text : "";
    }

    /** The field as a whole number; 0 if there is none. */
    public long number(String name) {
        return get(name) instanceof Number number ? number.longValue() : 0;
    }

    /** The field as an object; an empty one if there is none. */
    public JsonObject object(String name) {
        return get(name) instanceof JsonObject object ? object : new JsonObject();
    }

    /** The field as a list of objects; an empty one if there is none. */
    public List<JsonObject> objects(String name) {
        return get(name) instanceof List<?> list ? list.stream().map(JsonObject.class::cast).toList() : List.of();
    }
}
