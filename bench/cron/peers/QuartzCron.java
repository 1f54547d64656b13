// Quartz's CronExpression: nanoseconds per next fire time, and a checksum of the first 200.
// usage: java QuartzCron <expressions file> <version of Quartz>
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.quartz.CronExpression;

public class QuartzCron {
  static final long START = 1767225600000L; // 2026-01-01T00:00:00Z
  // Quartz knows no year more than 100 ahead of today: chains start over well before.
  static final long HORIZON = START + 1_500_000_000_000L;
  static final long MEASURE_NANOS = 100_000_000L;
  static final long WARM_UP_NANOS = 250_000_000L; // the JIT compiler's time
  static final int PASSES = 3; // over the whole list; the best counts, so that a busy machine slows nobody
  static final int CHECKED = 200;

  public static void main(String[] args) throws Exception {
    List<String> expressions = Files.readAllLines(Path.of(args[0]));
    String library = "Quartz " + args[1] + " CronExpression (JDK " + Runtime.version().feature() + ")";

    Map<String, CronExpression> crons = new LinkedHashMap<>(); // by the columns "zone, expression" of the row
    for (String zone : new String[] {"UTC", "America/New_York"}) {
      for (String expression : expressions) {
        crons.put(zone + "\t" + expression, parse(expression, zone));
      }
    }
    for (CronExpression cron : crons.values()) {
      nanosPerNext(cron, WARM_UP_NANOS);
    }
    Map<String, Double> best = new LinkedHashMap<>();
    for (int pass = 0; pass < PASSES; pass++) {
      crons.forEach((columns, cron) -> best.merge(columns, nanosPerNext(cron, MEASURE_NANOS), Math::min));
    }
    crons.forEach((columns, cron) ->
        System.out.printf("%s\t%s\t%.1f\t%s%n", library, columns, best.get(columns), checksum(cron)));
  }

  static CronExpression parse(String expression, String zone) throws ParseException {
    CronExpression cron = new CronExpression(quartzSyntax(expression));
    cron.setTimeZone(TimeZone.getTimeZone(zone));
    return cron;
  }

  // Quartz wants seconds first, counts week days from 1 = Sunday, and one of the two day fields must be '?'.
  // Enough for the list we measure: no steps in the week day, never both day fields restricted.
  static String quartzSyntax(String expression) {
    String[] field = expression.split(" ");
    if (field[4].equals("*")) {
      return String.join(" ", "0", field[0], field[1], field[2], field[3], "?");
    }
    StringBuilder weekDay = new StringBuilder();
    for (char c : field[4].toCharArray()) {
      weekDay.append(Character.isDigit(c) ? (char) (c + 1) : c);
    }
    return String.join(" ", "0", field[0], field[1], "?", field[3], weekDay);
  }

  static String checksum(CronExpression cron) {
    long sum = 0;
    Date time = new Date(START);
    for (int i = 0; i < CHECKED; i++) {
      time = cron.getNextValidTimeAfter(time);
      if (time == null) {
        return "-"; // beyond the years it knows
      }
      sum = (sum + time.getTime() / 1000) % 1_000_000_000_000_000L;
    }
    return Long.toString(sum);
  }

  static double nanosPerNext(CronExpression cron, long duration) {
    long count = 0;
    long elapsed;
    Date time = new Date(START);
    long began = System.nanoTime();
    do {
      for (int i = 0; i < 50; i++) {
        time = cron.getNextValidTimeAfter(time);
        count++;
        if (time == null || time.getTime() > HORIZON) {
          time = new Date(START);
        }
      }
      elapsed = System.nanoTime() - began;
    } while (elapsed < duration);
    return (double) elapsed / count;
  }
}
