"""Requests that no client should send, as bytes. Each must be refused, for whatever reason, and change nothing."""

import json
from dataclasses import dataclass
from typing import Iterator

CRLF = b"\r\n"
GOOD = {"job_name": "hostile", "every": "1h"}
JOBS = "/api/v1/jobs"


@dataclass
class Attack:
    what: str
    data: bytes
    cut_off: bool = False  # nothing more comes: closing without an answer is fine
    may_close: bool = False  # so malformed that there may be nobody to answer


def http(
    body: bytes = b"",
    method: str = "POST",
    target: str | bytes = JOBS,
    headers: tuple[bytes, ...] = (),
    kind: bytes | None = b"application/json",
    length: bytes | None = None,
    version: bytes = b"HTTP/1.1",
) -> bytes:
    """A request in which any one thing may be replaced."""
    path = target if isinstance(target, bytes) else target.encode()
    lines = [method.encode() + b" " + path + b" " + version, b"Host: belfry", b"@key", *headers]
    lines += [b"Content-Type: " + kind] if kind else []
    length = str(len(body)).encode() if length is None else length
    lines += [b"Content-Length: " + length] if length else []
    return CRLF.join(lines) + CRLF + CRLF + body


def job(**fields: object) -> bytes:
    return json.dumps({**GOOD, **fields}).encode()


def text(name: str, raw: bytes) -> bytes:
    """A job with a field written byte by byte."""
    return b'{"job_name":"hostile","every":"1h","' + name.encode() + b'":' + raw + b"}"


def not_json() -> Iterator[Attack]:
    bodies = [
        b"{", b"}", b"[", b'{"a"}', b'{"a":}', b"{'a':1}", b'{"a":1,}', b"[1,]", b"nul", b"True", b"NaN", b"Infinity", b"-", b"01", b"1.",
        b".5", b"+1", b"1e", b"0x10", b'"', b'"\\x"', b'"\\u12"', b'"\\ud800"', b'"a\nb"', b'"\t"', b"{} {}", b"{}x", b"/* */{}", b"// x\n{}",
        b"\xef\xbb\xbf{", b"\x00", b"{}\x00", b"a=b&c=d", b"<job/>", b"--x\r\nContent-Disposition: form-data\r\n\r\n", b" ", b"\n",
        b"\xff\xfe{\x00}\x00", b"\x1f\x8b\x08\x00",
    ]  # fmt: skip
    for body in bodies:
        yield Attack(f"not JSON: {body!r}", http(body))
    for body in [b"null", b"true", b"1", b'"job"', b"[]", b"[{}]", b"{}", b"1e3"]:
        yield Attack(f"no job: {body!r}", http(body))


def twisted_json() -> Iterator[Attack]:
    for depth in (65, 100, 10_000, 1_000_000):
        yield Attack(f"{depth} arrays in each other", http(text("payload", b"[" * depth + b"]" * depth)))
        yield Attack(f"{depth} objects in each other", http(text("payload", b'{"a":' * depth + b"1" + b"}" * depth)))
        yield Attack(f"{depth} brackets that nobody closes", http(b"[" * depth))
    for name in ("job_name", "every", "payload"):
        yield Attack(f"{name} twice", http(text(name, b'"1h","' + name.encode() + b'":"2h"')))
    yield Attack("a name twice, deep within", http(text("payload", b'{"a":[{"b":1,"b":2}]}')))
    yield Attack("a name twice, once escaped", http(text("payload", b'{"a":1,"\\u0061":2}')))
    for number in (b"1e999", b"-1e999", b"1" * 400, b"9" * 100_000):
        yield Attack(f"payload {number[:20]!r}…", http(text("payload", number)))
    numbers = [b"1e400", b"9223372036854775808", b"18446744073709551616", b"-9223372036854775809", b"1.5", b"1e1", b"-0", b"-1", b'"3"', b"true", b"[3]"]
    for number in numbers:
        yield Attack(f"max_attempts {number!r}", http(text("max_attempts", number)))
    for field in ("__proto__", "constructor", "", " ", "job_name ", "Job_Name", "job-name", "a" * 10_000, "/", "~", "\0", "\ud7ff", "job_name\0"):
        yield Attack(f"a field {field[:20]!r}", http(job(**{field: 1})))


def bad_utf8() -> Iterator[Attack]:
    bad = [b"\xff", b"\xc0\xaf", b"\xc1\x81", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xc3", b"\x80"]
    for each in bad:
        yield Attack(f"a name with {each!r}", http(b'{"job_name":"a' + each + b'b","every":"1h"}'))
    for each in bad[:4]:
        yield Attack(f"a payload with {each!r}", http(text("payload", b'"' + each + b'"')))
        yield Attack(f"a field called {each!r}", http(text("x" , b"1,\"" + each + b"\":1")))


def bad_texts() -> Iterator[Attack]:
    names = ["a\r\nSet-Cookie: x=y", "a\nb", "a\rb", "a\tb", "a\0", "\x1b[31m", "\x7f", " a", "a ", " ", "", "x" * 201, "ü" * 101, "x" * 1_000_000]
    for name in names:
        yield Attack(f"job_name {name[:20]!r} of {len(name)}", http(job(job_name=name)))
    for kind in ["a b", "a\nb", "", "x" * 201]:
        yield Attack(f"job_type {kind[:20]!r}", http(job(job_type=kind)))
    for every in ["", "1", "h", "-1h", "1h 1m", "1m1h", "1.5h", "99999999999999999999d", "1H", "١h", "0s", "1ms", "1w", "1h\0"]:
        yield Attack(f"every {every!r}", http(job(every=every)))
    for when in ["now", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00", "0000-00-00T00:00:00Z", "99999-01-01T00:00:00Z", "2026-01-01T25:00:00Z", "1e9"]:
        yield Attack(f"start_at {when!r}", http(job(start_at=when)))
    for zone in ["../../etc/passwd", "/etc/localtime", "UTC\0", "utc", "posixrules", "x" * 101, "Europe", ""]:
        yield Attack(f"timezone {zone[:20]!r}", http(json.dumps({"job_name": "hostile", "cron_expression": "@daily", "timezone": zone}).encode()))
    for cron in ["* * * *", "* * * * * * * *", "60 * * * *", "*/0 * * * *", "1-0/0 * * * *", "@never", "; rm -rf /", "* " * 400, "L L L L L", "\0 * * * *"]:
        yield Attack(f"cron {cron[:20]!r}", http(json.dumps({"job_name": "hostile", "cron_expression": cron}).encode()))
    urls = ["javascript:alert(1)", "file:///etc/passwd", "http://", "http://a b", "http://a\r\nX: y", "//a", "http://user:pw@[::1", "gopher://a", "http://a:99999/", "http://a/\0"]
    for url in urls:
        yield Attack(f"url {url!r}", http(job(target={"kind": "HTTP", "url": url})))
    for headers in [{"Host": "a"}, {"a": "b\r\nc: d"}, {"a\r\nb": "c"}, {"": "a"}, {"Content-Length": "0"}, {"Transfer-Encoding": "chunked"}, {"a": 1}, {"webhook-id": "x"}]:
        yield Attack(f"target headers {headers!r}", http(job(target={"kind": "HTTP", "url": "http://a.example", "headers": headers})))
    for labels in [{"a=b": "c"}, {"a,b": "c"}, {"a b": "c"}, {"": "c"}, {"a": 1}, {"a": None, "b": []}, {"a": "x" * 201}, {"x" * 101: "a"}, [], "a=b"]:
        yield Attack(f"labels {str(labels)[:30]}", http(job(labels=labels)))
    yield Attack("a payload of 64 KiB and more", http(job(payload="x" * 65_536)))


def bad_targets() -> Iterator[Attack]:
    paths = ["/api/v1/jobs/%", "/api/v1/jobs/%2", "/api/v1/jobs/%zz", "/api/v1/jobs/%00", "/api/v1/jobs/%ff", "/api/v1/jobs/name:%c0%af", "/api/v1/jobs/..%2f..",
             "/api/v1/../../etc/passwd", "//", "/api/v1//jobs", "/api/v1/jobs//", "/API/V1/JOBS", "/api/v1/jobs/name:", "/api/v2/jobs",
             "/api/v1/jobs/" + "a" * 5000, "/api/v1/jobs;x=y", "/api/v1/jobs%2F", "/api/v1/jobs%00", "/\\api\\v1\\jobs"]  # fmt: skip
    for path in paths:
        yield Attack(f"GET {path[:40]}", http(method="GET", target=path, kind=None))
    queries = ["limit=0", "limit=-1", "limit=1001", "limit=1e2", "limit=", "limit=99999999999999999999", "limit=+5", "limit=5%00", "limit=5&limit=-1", "limit", "status=", "status=active",
               "status=DELETED", "cursor=x", "cursor=%ff", "label=x", "label=%", "nope=1", "=", "q=%", "q=%zz", "%00=1", "limit=٣", "limit=0x10", "cursor=" + "A" * 3000, "q=%c0%af"]  # fmt: skip
    for query in queries:
        yield Attack(f"GET ?{query[:40]}", http(method="GET", target=f"{JOBS}?{query}", kind=None))
    for raw in [b"/api/v1/jobs#x", b"api/v1/jobs", b"*", b"/a b", b"/\xff", b"http://", b"/api/v1/jobs?a b", b""]:
        yield Attack(f"GET {raw!r}", http(method="GET", target=raw, kind=None), may_close=True)
    for method in ["BREW", "get", "TRACE", "CONNECT", "PROPFIND", "PUT", "DELETE", "PATCH", "X" * 300]:
        yield Attack(f"{method[:20]} {JOBS}", http(method=method, kind=None))


def bad_heads() -> Iterator[Attack]:
    good = job()
    for kind in [b"text/plain", b"application/xml", b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x", b"application/jsonp", b"text/json", b"application/octet-stream"]:
        yield Attack(f"Content-Type {kind!r}", http(good, kind=kind))
    for encoding in [b"gzip", b"deflate", b"br"]:
        yield Attack(f"Content-Encoding {encoding!r}", http(good, headers=(b"Content-Encoding: " + encoding,)))
    for key in [b"", b"x" * 201, b"\x01", b"a\tb" * 100]:
        yield Attack(f"Idempotency-Key {key[:10]!r}", http(good, headers=(b"Idempotency-Key: " + key,)), may_close=True)
    yield Attack("two Idempotency-Keys", http(good, headers=(b"Idempotency-Key: a", b"Idempotency-Key: b")))
    for tenant in [b"", b"rival\xff", b"../acme", b"no-such-tenant", b"x" * 300]:
        yield Attack(f"Belfry-Tenant {tenant[:10]!r}", http(good, headers=(b"Belfry-Tenant: " + tenant,)))
    yield Attack("a huge header", http(good, headers=(b"X: " + b"a" * 100_000,)))
    yield Attack("ten thousand headers", http(good, headers=tuple(b"X-%d: a" % i for i in range(10_000))))
    for line in [b"no colon", b": no name", b"a b: c", b"a\x00: b", b"a: b\x00", b" folded: x", b"X : y", b"\xff: x", b"a: \x7f"]:
        yield Attack(f"a header line {line!r}", http(good, headers=(line,)), may_close=True)
    yield Attack("an expectation nobody has", http(good, headers=(b"Expect: 200-maybe",)))
    for version in [b"HTTP/3.0", b"HTTP/1.2", b"HTTP/0.9", b"HTTP/x", b"", b"HTTP/1.1 x", b"http/1.1"]:
        yield Attack(f"version {version!r}", http(good, version=version), may_close=True)
    yield Attack("no host", http(good).replace(b"Host: belfry\r\n", b""))
    yield Attack("two hosts", http(good, headers=(b"Host: other",)))


def smuggling() -> Iterator[Attack]:
    """Requests whose end two readers could see in different places. None may leave a second request behind."""
    good = job()
    inner = http(job(job_name="smuggled"))
    chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (len(good), good)
    twisted = [
        ("both length and chunks", http(chunk + inner, headers=(b"Transfer-Encoding: chunked",), length=str(len(chunk)).encode())),
        ("two lengths", http(good + inner, headers=(b"Content-Length: 0",))),
        ("two lengths in one", http(good + inner, length=f"{len(good)}, 0".encode())),
        ("a negative length", http(good, length=b"-1")),
        ("a signed length", http(good, length=b"+%d" % len(good))),
        ("a length in hex", http(good, length=b"0x10")),
        ("a length with a blank in it", http(good, length=b"1 0")),
        ("a length beyond 64 bits", http(good, length=b"18446744073709551617")),
        ("a length that is a word", http(good, length=b"all")),
        ("chunks under a false name", http(chunk, headers=(b"Transfer-Encoding: xchunked",), length=b"")),
        ("chunks twice", http(chunk, headers=(b"Transfer-Encoding: chunked, chunked",), length=b"")),
        ("chunks not last", http(chunk, headers=(b"Transfer-Encoding: chunked, gzip",), length=b"")),
        ("chunks and identity", http(chunk, headers=(b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity"), length=b"")),
        ("chunks with a tab", http(chunk, headers=(b"Transfer-Encoding:\x0bchunked",), length=b"")),
        ("chunks in HTTP/1.0", http(chunk, headers=(b"Transfer-Encoding: chunked",), length=b"", version=b"HTTP/1.0")),
        ("a chunk without a size", http(b"\r\n" + chunk, headers=(b"Transfer-Encoding: chunked",), length=b"")),
        ("a chunk of a negative size", http(b"-1\r\n" + chunk, headers=(b"Transfer-Encoding: chunked",), length=b"")),
        ("a chunk of a size beyond 64 bits", http(b"1" * 20 + b"\r\n" + chunk, headers=(b"Transfer-Encoding: chunked",), length=b"")),
        ("a chunk longer than its size", http(b"1\r\n{}\r\n0\r\n\r\n", headers=(b"Transfer-Encoding: chunked",), length=b"")),
        ("a body no length announces", http(length=b"0") + good),
        ("a body of GET that is a request", http(inner, method="GET", target=JOBS + "?nope=1", kind=None)),
    ]
    for what, data in twisted:
        yield Attack(what, data, may_close=True)
    for what, data in [("a request cut off in its head", http(good)[:60]), ("cut off in its body", http(good)[:-5]), ("nothing at all", b""), ("a TLS greeting", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")]:
        yield Attack(what, data, cut_off=True, may_close=True)
    yield Attack("a body beyond 16 MiB", http(b" " * (17 * 1024 * 1024)), may_close=True)
    yield Attack("a promise of a terabyte", http(b"{}", length=b"1099511627776"), may_close=True)


def all_attacks() -> list[Attack]:
    makers = (not_json, twisted_json, bad_utf8, bad_texts, bad_targets, bad_heads, smuggling)
    return [attack for maker in makers for attack in maker()]
