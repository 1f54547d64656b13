// Server-sent events, assembled as the HTML standard says.

/** What changed. `name` is "jobs", "runs", or "reset": events were missed, read lists again. */
export interface ServerEvent {
  id: string;
  name: string;
  data: unknown;
}

/** The events of a stream, as its pieces come in. */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let lastId = "";
  let name = "";
  let data: string[] = [];
  for await (const line of linesOf(pieces)) {
    if (line === "") {
      if (data.length > 0) yield { id: lastId, name: name || "message", data: JSON.parse(data.join("\n")) as unknown };
      name = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") lastId = value;
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
}

async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
}
