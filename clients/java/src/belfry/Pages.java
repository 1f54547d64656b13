package belfry;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** A list of the server, read to its end page by page. */
final class Pages implements Iterator<JsonObject> {
    private static final int DEFAULT_PAGE = 500;

    private final Client client;
    private final String path;
    private final Option[] options;
    private Iterator<JsonObject> page = List.<JsonObject>of().iterator();
    private String cursor = "";

    Pages(Client client, String path, Option... options) {
        this.client = client;
        this.path = path;
        this.options = options;
    }

    @Override
    public boolean hasNext() {
        while (!page.hasNext() && cursor != null) {
            Option all = call -> {
                Option.page(DEFAULT_PAGE).applyTo(call);
                List.of(options).forEach(option -> option.applyTo(call));
                if (!cursor.isEmpty()) {
                    Option.query("cursor", cursor).applyTo(call);
                }
            };
            JsonObject answer = (JsonObject) client.call("GET", path, null, all);
            page = answer.objects("items").iterator();
            cursor = (String) answer.get("next_cursor");
        }
        return page.hasNext();
    }

    @Override
    public JsonObject next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.next();
    }
}
