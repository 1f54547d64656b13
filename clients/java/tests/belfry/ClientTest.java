package belfry;

import static belfry.Tests.equal;
import static belfry.Tests.holds;
import static belfry.Tests.thrown;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/** The client against a server that answers as a test tells it to. */
public final class ClientTest {
    private ClientTest() {}

    private interface Say {
        void to(HttpExchange exchange) throws IOException;
    }

    private record Seen(String target, Headers headers) {}

    /** Answers one call after the other, the last answer for ever; keeps the requests. */
    private static final class FakeServer {
        final List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
        final String url;

        FakeServer(Say... answers) throws IOException {
            Deque<Say> left = new ArrayDeque<>(List.of(answers));
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newCachedThreadPool(work -> {
                Thread thread = new Thread(work);
                thread.setDaemon(true);
                return thread;
            }));
            server.createContext("/", exchange -> {
                exchange.getRequestBody().readAllBytes();
                seen.add(new Seen(exchange.getRequestURI().toString(), exchange.getRequestHeaders()));
                Say say;
                synchronized (left) {
                    say = left.size() > 1 ? left.remove() : left.peek();
                }
                say.to(exchange);
                exchange.close();
            });
            server.start();
            url = "http://127.0.0.1:" + server.getAddress().getPort();
        }

        Client client() {
            return new Client(url);
        }

        Client client(Client.Settings settings) {
            return new Client(url, settings);
        }
    }

    private static Say says(int status, Object body, String... headers) {
        return exchange -> {
            byte[] text = Json.write(body).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, text.length);
            exchange.getResponseBody().write(text);
        };
    }

    private static final Say HANGS_UP = exchange -> {};
    private static final JsonObject NOTHING = new JsonObject();
    private static final Map<String, ?> CLAIM = Map.of("worker_id", "w", "job_types", List.of("t"));

    static void testSaysWhoItIsAndTellsNobodyElse() throws IOException {
        FakeServer server = new FakeServer(says(200, NOTHING));
        Client client = server.client(new Client.Settings().token("bf_secret").tenant("acme"));
        client.getStats();
        equal(server.seen.get(0).headers().getFirst("Authorization"), "Bearer bf_secret");
        equal(server.seen.get(0).headers().getFirst("Belfry-Tenant"), "acme");
        Problem refused = thrown(Problem.class, () -> new Client("http://user:bf_secret@host"));
        holds(!(client + refused.getMessage()).contains("bf_secret"), "the key is shown");
    }

    static void testFollowsNoRedirect() throws IOException {
        FakeServer other = new FakeServer(says(200, NOTHING));
        FakeServer server = new FakeServer(says(307, NOTHING, "Location", other.url));
        equal(thrown(Problem.class, () -> server.client().getStats()).kind(), Problem.Kind.INVALID);
        equal(other.seen.size(), 0);
    }

    static void testNamesAreQuotedAndIdsAreNotNames() {
        equal(Paths.job("0000000000012a3b", ""), "/jobs/0000000000012a3b");
        equal(Paths.job("name:0000000000012a3b", ""), "/jobs/name:0000000000012a3b");
        equal(Paths.job("a/b ?", "/next"), "/jobs/name:a%2Fb%20%3F/next");
        equal(Paths.run("../jobs", ""), "/runs/..%2Fjobs");
        equal(thrown(Problem.class, () -> Paths.job("", "")).kind(), Problem.Kind.INVALID);
    }

    static void testWaitsForAServerThatSaysNotNow() throws IOException {
        Say busy = says(503, JsonObject.of("code", "busy"), "Retry-After", "0");
        FakeServer server = new FakeServer(busy, busy, says(200, JsonObject.of("runs", List.of())));
        equal(server.client().claimRuns(CLAIM), List.of());
        equal(server.seen.size(), 3);
        Client hasty = new FakeServer(busy).client(new Client.Settings().patience(Duration.ofSeconds(-1)));
        equal(thrown(Problem.class, hasty::getStats).kind(), Problem.Kind.UNREACHABLE);
    }

    static void testRepeatsWhatMayBeRepeatedUnderTheSameKey() throws IOException {
        FakeServer server = new FakeServer(HANGS_UP, says(201, JsonObject.of("job_id", "1")));
        server.client().createJob(Map.of("job_name", "a"));
        equal(server.seen.size(), 2);
        equal(server.seen.get(0).headers().getFirst("Idempotency-Key"), server.seen.get(1).headers().getFirst("Idempotency-Key"));
    }

    static void testDoesNotRepeatAClaim() throws IOException {
        FakeServer server = new FakeServer(HANGS_UP);
        equal(thrown(Problem.class, () -> server.client().claimRuns(CLAIM)).kind(), Problem.Kind.TIMED_OUT);
        equal(server.seen.size(), 1);
    }

    static void testProblemsAreToldByKind() throws IOException {
        Map<Integer, Problem.Kind> kinds = Map.of(
                401, Problem.Kind.REFUSED, 403, Problem.Kind.REFUSED, 404, Problem.Kind.NOT_FOUND, 409, Problem.Kind.CONFLICT,
                412, Problem.Kind.CONFLICT, 422, Problem.Kind.INVALID, 504, Problem.Kind.TIMED_OUT);
        for (Map.Entry<Integer, Problem.Kind> each : kinds.entrySet()) {
            FakeServer server = new FakeServer(says(each.getKey(), JsonObject.of("code", "word", "detail", "why", "instance", "q-1")));
            Problem problem = thrown(Problem.class, () -> server.client().triggerJob("a", null));
            equal(List.of(problem.kind(), problem.status(), problem.code(), problem.getMessage(), problem.requestId()),
                    List.of(each.getValue(), each.getKey(), "word", "why", "q-1"));
        }
    }

    static void testBadFieldsAreToldOneByOne() throws IOException {
        List<JsonObject> errors = List.of(JsonObject.of("pointer", "/every", "code", "invalid", "message", "is no duration", "hint", "write 90s"));
        FakeServer server = new FakeServer(says(422, JsonObject.of("code", "invalid", "detail", "1 field", "errors", errors)));
        equal(thrown(Problem.class, () -> server.client().createJob(NOTHING)).getMessage(), "every: is no duration; write 90s");
    }

    static void testWhatIsNoBelfryIsToldSo() throws IOException {
        FakeServer server = new FakeServer(says(404, "<html>"));
        holds(thrown(Problem.class, () -> server.client().getStats()).getMessage().contains("check its address"), "its address");
        Problem.Kind nobody = thrown(Problem.class, () -> new Client("http://127.0.0.1:2").createJob(NOTHING)).kind();
        equal(nobody, Problem.Kind.UNREACHABLE);
    }

    static void testWhatIsNoJsonIsNotSent() throws IOException {
        FakeServer server = new FakeServer(says(200, NOTHING));
        for (Object value : List.of(Double.NaN, new Object())) {
            Problem problem = thrown(Problem.class, () -> server.client().createJob(Map.of("payload", value)));
            equal(problem.kind(), Problem.Kind.INVALID);
        }
        equal(server.seen.size(), 0);
    }

    static void testPagesAreReadToTheEndEvenWhenOneIsEmpty() throws IOException {
        FakeServer server = new FakeServer(
                says(200, JsonObject.of("items", List.of(JsonObject.of("n", 1), JsonObject.of("n", 2)), "next_cursor", "b")),
                says(200, JsonObject.of("items", List.of(), "next_cursor", "c")),
                says(200, JsonObject.of("items", List.of(JsonObject.of("n", 3)), "next_cursor", null)));
        List<Long> all = new ArrayList<>();
        server.client().listJobs(Option.query("label", List.of("a=1", "b=2")), Option.page(2)).forEach(each -> all.add(each.number("n")));
        equal(all, List.of(1L, 2L, 3L));
        equal(server.seen.get(0).target(), "/api/v1/jobs?limit=2&label=a%3D1&label=b%3D2");
        holds(server.seen.get(2).target().contains("cursor=c"), server.seen.get(2));
    }

    private static Say streams(String... lines) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        };
    }

    static void testEventsGoOnWhereTheyBrokeOff() throws Exception {
        FakeServer server = new FakeServer(
                streams(": welcome", "", "id: 1-1", "event: runs", "data: {\"a\":", "data: 1}", "", "id: 1-2", "event: jobs"),
                streams("retry: 1", "id: 2-1", "event: jobs", "data: {}", ""));
        List<Event> heard = new ArrayList<>();
        int[] opened = {0};
        server.client().events("0-1", () -> ++opened[0], event -> {
            heard.add(event);
            return heard.size() < 2;
        });
        equal(heard, List.of(new Event("1-1", "runs", JsonObject.of("a", 1L)), new Event("2-1", "jobs", new JsonObject())));
        equal(server.seen.get(0).headers().getFirst("Last-Event-ID") + server.seen.get(1).headers().getFirst("Last-Event-ID"), "0-11-1");
        equal(opened[0], 2);
    }

    static void testJsonIsReadAndWritten() {
        String text = "{\"a\":[1,-9223372036854775808,2.50,1e3,true,null,\"\\u00fc\\n\\\"😀\"],\"b\":{}}";
        Object value = Json.parse(text);
        equal(Json.parse(Json.write(value)), value);
        equal(Json.parse("9223372036854775807"), Long.MAX_VALUE);
        equal(Json.parse("9223372036854775808").toString(), "9223372036854775808");
        equal(Json.write("a\u0001\ud800"), "\"a\\u0001\uFFFD\"");
        for (String bad : List.of("", "{", "[1 2]", "{\"a\" 1}", "{a:1}", "tru", "\"a", "\"\\x\"", "\"\\u12\"", "1 2", "-", "[".repeat(1000))) {
            thrown(IllegalArgumentException.class, () -> Json.parse(bad));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Tests.run(ClientTest.class);
    }
}
