package belfry;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;

/** Carries calls to one server. */
final class Wire {
    private final String server;
    private final Map<String, String> headers;
    private final HttpClient http;

    Wire(String server, Map<String, String> headers, HttpClient http) {
        URI address;
        try {
            address = URI.create(server);
        } catch (IllegalArgumentException bad) {
            address = URI.create("");
        }
        if (address.getUserInfo() != null) {
            throw Problem.invalid("a key does not belong in the address of a server; give it as `token`");
        }
        boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        if (!isHttp || address.getHost() == null || address.getQuery() != null || address.getFragment() != null) {
            throw Problem.invalid("`" + server + "` is not the address of a server; write http://HOST:PORT");
        }
        this.server = server.replaceFirst("/+$", "");
        this.headers = headers;
        this.http = http;
    }

    String server() {
        return server;
    }

    /** One try. UNREACHABLE if nothing was sent, TIMED_OUT if nobody knows whether it was done. */
    <T> HttpResponse<T> exchange(Option.Call call, HttpResponse.BodyHandler<T> reader) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + call.target())).timeout(call.timeout);
        headers.forEach(request::setHeader);
        call.headers.forEach(request::setHeader);
        request.method(call.method, call.body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(call.body));
        try {
            return http.send(request.build(), reader);
        } catch (ConnectException | HttpConnectTimeoutException | SSLHandshakeException error) {
            throw new Problem(Problem.Kind.UNREACHABLE, "no Belfry server answers at " + server + " (" + words(error) + ")", error);
        } catch (IOException error) {
            throw lost(error);
        }
    }

    Problem lost(IOException error) {
        String detail = server + " did not answer (" + words(error) + "); it may or may not have been done";
        return new Problem(Problem.Kind.TIMED_OUT, detail, error);
    }

    static Duration retryAfter(HttpResponse<?> response) {
        Optional<String> told = response.headers().firstValue("Retry-After").filter(text -> text.matches("[0-9]{1,9}"));
        return told.map(text -> Duration.ofSeconds(Long.parseLong(text))).orElse(null);
    }

    private static String words(Throwable error) {
        return error.getMessage() != null ? error.getMessage() : error.getClass().getSimpleName();
    }
}
