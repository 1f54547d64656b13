package belfry;

import java.time.Duration;
import java.util.Map;

/** A run for tests of handlers, as a server could have granted it. */
final class Sample {
    static final Duration LEASE = Duration.ofSeconds(30);

    private Sample() {}

    static JsonObject facts(String jobType, Object payload) {
        String runId = "0".repeat(32);
        return JsonObject.of(
                "run_id", runId, "attempt_id", runId + "-1", "attempt", 1, "fence", 1, "idempotency_key", runId,
                "traceparent", "00-" + "1".repeat(32) + "-" + "1".repeat(16) + "-00",
                "job_id", "0".repeat(16), "job_name", "sample", "job_type", jobType, "tenant_id", "default",
                "scheduled_for", "2026-01-01T00:00:00Z", "lease_until", "2026-01-01T00:00:30Z", "deadline", "2026-01-01T00:05:00Z",
                "stands_for", 1, "waited_ms", 0, "target", JsonObject.of("kind", "WORKER"), "payload", payload);
    }

    static Run run(String jobType, Object payload, Map<String, ?> others) {
        JsonObject facts = facts(jobType, payload);
        facts.putAll(others);
        return new Run(facts, LEASE, () -> {});
    }
}
