"""What a .proto file declares, name by name: what programs and the bytes between them depend on.

Knows what api/proto uses: packages, messages within messages, enums, oneofs, services. Options and reserved numbers
are passed over.
"""

import re
from typing import Iterator

TOKEN = re.compile(r'"[^"]*"|[\w.]+|[{}\[\]();=,<>]')


def outline(text: str) -> Iterator[tuple[str, str]]:
    """Pairs such as (`belfry.v1.Run.fence`, `uint64 = 4`) and (`belfry.v1.Dispatcher.Claim`, `ClaimRequest -> ClaimResponse`)."""
    tokens = TOKEN.findall(re.sub(r"//[^\n]*", "", text))
    yield from _block(iter(tokens), [], "file")


def _statement(tokens: Iterator[str]) -> tuple[list[str], str]:
    """Words up to `;`, `{` or `}`, and which of them it was."""
    words: list[str] = []
    for token in tokens:
        if token in ";{}":
            return words, token
        words.append(token)
    return words, ""


def _skip(tokens: Iterator[str]) -> None:
    depth = 1
    for token in tokens:
        depth += {"{": 1, "}": -1}.get(token, 0)
        if depth == 0:
            return


def _block(tokens: Iterator[str], path: list[str], kind: str) -> Iterator[tuple[str, str]]:
    while True:
        words, end = _statement(tokens)
        if not words:
            if end != ";":
                return
            continue
        if words[0] == "package":
            path = [words[1]]
        elif words[0] == "rpc":
            yield ".".join([*path, words[1]]), _call(words)
            if end == "{":
                _skip(tokens)
        elif end == "{":
            if words[0] == "oneof":  # its fields are the message's
                yield from _block(tokens, path, kind)
            elif words[0] in ("message", "enum", "service"):
                inner = [*path, words[1]]
                yield ".".join(inner), words[0]
                yield from _block(tokens, inner, words[0])
            else:
                _skip(tokens)
        elif kind in ("message", "enum") and "=" in words and words[0] not in ("option", "reserved"):
            yield _field(path, words)
        if end == "}":
            return


def _call(words: list[str]) -> str:
    asked = words[words.index("(") + 1:words.index(")")]
    rest = words[words.index("returns") + 1:]
    return f"{' '.join(asked)} -> {' '.join(rest[1:rest.index(')')])}"


def _field(path: list[str], words: list[str]) -> tuple[str, str]:
    at = words.index("=")
    *kind, name = words[:at]
    return ".".join([*path, name]), f"{' '.join(kind)} = {words[at + 1]}".strip()
