package belfry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** What a handler shows of its work while it runs: lines of output, and how far it is. A long output loses its middle. */
final class Notes {
    private static final int HALF = 30_000; // bytes kept of the beginning, and of the end; the server takes 64 KiB
    private static final int LONGEST_LINE = 8_000;

    private final Runnable onNews;
    private final List<String> head = new ArrayList<>();
    private final Deque<String> tail = new ArrayDeque<>();
    private int headSize;
    private int tailSize;
    private int dropped;
    private JsonObject progress;
    private int version;

    Notes(Runnable onNews) {
        this.onNews = onNews;
    }

    void log(String line) {
        add(cut(line, LONGEST_LINE) + "\n");
        onNews.run();
    }

    private synchronized void add(String line) {
        int size = bytes(line);
        if (tail.isEmpty() && headSize + size <= HALF) {
            head.add(line);
            headSize += size;
        } else {
            tail.add(line);
            tailSize += size;
        }
        while (tailSize > HALF) {
            tailSize -= bytes(tail.remove());
            ++dropped;
        }
        ++version;
    }

    /** As the server takes it: one refused note would cost all runs of the worker their heartbeat. */
    void progress(long done, long total) {
        synchronized (this) {
            progress = JsonObject.of("done", Math.max(0, done), "total", Math.max(0, total));
            ++version;
        }
        onNews.run();
    }

    synchronized int version() {
        return version;
    }

    /** For a heartbeat or a report: everything to show so far. */
    synchronized JsonObject fields() {
        JsonObject fields = new JsonObject();
        String gap = dropped > 0 ? "… " + dropped + " lines left out …\n" : "";
        String text = String.join("", head) + gap + String.join("", tail);
        if (!text.isEmpty()) {
            fields.put("log", text);
        }
        if (progress != null) {
            fields.put("progress", progress);
        }
        return fields;
    }

    /** The text, shortened to so many bytes of UTF-8. */
    static String cut(String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= most) {
            return text;
        }
        int end = most;
        while (end > 0 && (bytes[end] & 0xC0) == 0x80) { // in the middle of a letter
            --end;
        }
        return new String(Arrays.copyOf(bytes, end), StandardCharsets.UTF_8);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
