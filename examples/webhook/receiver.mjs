// Receives webhooks and trusts only signed ones: HOOK_SECRET=whsec_… node receiver.mjs PORT
// Needs nothing but Node: the check of Standard Webhooks is a page. clients/typescript has it as `verifyWebhook`.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.HOOK_SECRET;
const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
const FRESH_SECONDS = 300; // an old call may be a replay
const MOST_BYTES = 1 << 20;
const done = new Set(); // a real receiver keeps this beside its data, in the same transaction

function isGenuine(headers, body) {
  const id = headers["webhook-id"];
  const at = headers["webhook-timestamp"];
  if (!id || !at || Math.abs(Date.now() / 1000 - Number(at)) > FRESH_SECONDS) return false;
  const right = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest();
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => {
    const [version, text] = signature.split(",");
    const given = Buffer.from(text ?? "", "base64");
    return version === "v1" && given.length === right.length && timingSafeEqual(given, right);
  });
}

const server = createServer((request, response) => {
  const chunks = [];
  let size = 0;
  request.on("data", (chunk) => {
    size += chunk.length;
    if (size > MOST_BYTES) request.destroy();
    chunks.push(chunk);
  });
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    if (!isGenuine(request.headers, body)) return response.writeHead(401).end("not signed by us");
    const id = request.headers["webhook-id"];
    if (!done.has(id)) {
      done.add(id);
      console.log("work", id, body.toString());
    }
    response.writeHead(200).end("ok");
  });
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("listening", server.address().port));
