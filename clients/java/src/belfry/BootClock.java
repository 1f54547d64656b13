package belfry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A clock that nobody sets, and that goes on while the machine sleeps, as a lease does. */
final class BootClock {
    private static final Path UPTIME = Path.of("/proc/uptime");

    private BootClock() {}

    /** In milliseconds. Linux tells it in a file, to a hundredth of a second; elsewhere sleep does not count. */
    static long now() {
        try {
            String text = Files.readString(UPTIME);
            return Math.round(1000 * Double.parseDouble(text.substring(0, text.indexOf(' '))));
        } catch (IOException | RuntimeException other) {
            return System.nanoTime() / 1_000_000;
        }
    }
}
