package belfry;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A call that really comes from your Belfry server: Standard Webhooks 1.0 signatures.
 *
 * @param id the run's id: the idempotency key
 * @param timestamp when it was sent, seconds since 1970
 * @param attempt which attempt of the run; 0: not told
 * @param fence refuse a call with a lower one than you have seen for this job; 0: not told
 * @param scheduledFor the tick, RFC 3339; empty: not told
 */
public record Webhook(String id, long timestamp, byte[] body, long attempt, long fence, String scheduledFor) {
    /** How much a timestamp may be off, either way. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    /** The call cannot be trusted: answer 401 and do nothing. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final String reason;

        Refused(String reason, String detail) {
            super(detail);
            this.reason = reason;
        }

        /** A stable word: missing_header, bad_timestamp or bad_signature. */
        public String reason() {
            return reason;
        }
    }

    /**
     * The call, if one of the secrets signed it, just now. The body must be as it came, not parsed and written again. Give
     * several secrets while you change them.
     */
    public static Webhook verify(Map<String, String> headers, byte[] body, String... secrets) throws Refused {
        return verifyAt(Instant.now(), headers, body, secrets);
    }

    /** {@link #verify} at another time: for tests. */
    public static Webhook verifyAt(Instant now, Map<String, String> headers, byte[] body, String... secrets) throws Refused {
        Map<String, String> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        found.putAll(headers);
        String id = found.getOrDefault("webhook-id", "");
        String stamp = found.getOrDefault("webhook-timestamp", "");
        String signatures = found.getOrDefault("webhook-signature", "");
        if (id.isEmpty() || stamp.isEmpty() || signatures.isEmpty()) {
            throw new Refused("missing_header", "webhook-id, webhook-timestamp and webhook-signature are needed");
        }
        if (!stamp.matches("[0-9]{1,12}")) {
            throw new Refused("bad_timestamp", "webhook-timestamp is not a number of seconds");
        }
        long sent = Long.parseLong(stamp);
        if (!isSigned(id, sent, body, signatures, secrets)) {
            throw new Refused("bad_signature", "no signature fits the body and the secret");
        }
        long age = Math.abs(now.getEpochSecond() - sent);
        if (age > TOLERANCE.toSeconds()) {
            throw new Refused("bad_timestamp", "webhook-timestamp is " + age + " s off; a replay, or a wrong clock");
        }
        String scheduledFor = found.getOrDefault("belfry-scheduled-for", "");
        return new Webhook(id, sent, body, number(found.get("belfry-attempt")), number(found.get("belfry-fence")), scheduledFor);
    }

    /** The signature of a call, for tests of your receiver. */
    public static String sign(String secret, String id, long timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(keyOf(secret), "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible); // every Java has HmacSHA256
        }
    }

    /** Checks all of them, so that the time it takes reveals nothing. */
    private static boolean isSigned(String id, long timestamp, byte[] body, String signatures, String[] secrets) {
        List<byte[]> given = new ArrayList<>();
        for (String each : signatures.split(" ")) {
            given.add(each.getBytes(StandardCharsets.UTF_8));
        }
        boolean good = false;
        for (String secret : secrets) {
            byte[] expected = sign(secret, id, timestamp, body).getBytes(StandardCharsets.UTF_8);
            for (byte[] each : given) {
                good |= MessageDigest.isEqual(expected, each);
            }
        }
        return good;
    }

    /** {@code whsec_} and base64, as Standard Webhooks has it; any other text is the key itself. */
    private static byte[] keyOf(String secret) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("the secret of the webhook is empty; is the setting that holds it missing?");
        }
        if (!secret.startsWith("whsec_")) {
            return secret.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(secret.substring("whsec_".length()));
        } catch (IllegalArgumentException bad) {
            throw new IllegalArgumentException("what follows `whsec_` in the secret is not base64");
        }
    }

    private static long number(String text) {
        return text != null && text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }
}
