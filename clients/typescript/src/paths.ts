// Addresses: of the server, of jobs and runs, and what comes after the question mark.
import { Invalid } from "./errors.js";

/** "/jobs/name:nightly%20report": the path of the job with this name or id. */
export function jobPath(job: string, rest = ""): string {
  if (!job) throw new Invalid("a job has a name or an id; this one is empty");
  const named = job.startsWith("name:");
  const prefix = !named && /^[0-9a-f]{16}$/.test(job) ? "" : "name:";
  return `/jobs/${prefix}${encodeURIComponent(named ? job.slice(5) : job)}${rest}`;
}

export function runPath(run: string, rest = ""): string {
  if (!run) throw new Invalid("a run has an id; this one is empty");
  return `/runs/${encodeURIComponent(run)}${rest}`;
}

/** The address without a slash at its end; Invalid if it is not an address, or holds a key. */
export function baseOf(server: string): string {
  let url;
  try {
    url = new URL(server);
  } catch {
    url = undefined;
  }
  if (!url || !["http:", "https:"].includes(url.protocol) || url.search || url.hash) {
    throw new Invalid(`\`${server}\` is not the address of a server; write http://HOST:PORT`);
  }
  if (url.username || url.password) throw new Invalid("a key does not belong in the address of a server; give it as `token`");
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/** "?label=a&label=b": the given parameters; lists one by one. */
export function queryOf(query: object = {}): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) parts.append(name, String(each));
    }
  }
  const text = parts.toString();
  return text && `?${text}`;
}
