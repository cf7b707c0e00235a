import { hostileBody } from "./bodies.ts";
import { hostileHeaders } from "./headers.ts";
import type { Random } from "../support/random.ts";
import { hostileTarget } from "./targets.ts";

/** One hostile request: bytes, one character each, and how they are put on the wire. */
export interface HostileRequest {
  readonly parts: readonly string[];
  /** The client says that it sends no more. Without it a request that is cut short would only be slow. */
  readonly endsEarly: boolean;
  readonly method: string;
  readonly target: string;
}

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "SEARCH",
  "PURGE",
];
const oddMethods = [
  "get",
  "GE T",
  "",
  "CONNECT",
  "GÉT",
  "G\0ET",
  "A".repeat(5_000),
  "GET\t",
  "DEBUG",
  "__proto__",
  "\u0016\u0003\u0001",
];
const versions = [
  "HTTP/1.0",
  "HTTP/0.9",
  "HTTP/2.0",
  "HTTP/1.1 ",
  "HTTP/1.11",
  "http/1.1",
  "HTTP/",
  "",
  "HTTPS/1.1",
  "HTTP/9.9",
];

/** Draws a request: mostly well-formed with one or two things wrong, sometimes wrong in every place. */
export function drawRequest(random: Random, token: string): HostileRequest {
  if (random.chance(0.02)) return junk(random);
  const method = random.chance(0.08) ? random.pick(oddMethods) : drawMethod(random);
  const target = hostileTarget(random, method);
  const version = random.chance(0.04) ? random.pick(versions) : "HTTP/1.1";
  const body = hostileBody(random, method);
  const lineEnd = random.chance(0.02) ? random.pick(["\n", "\r", "\r\r\n", "\n\r"]) : "\r\n";
  // With a good token more of the server is reached. It may end its owner's sessions, so it asks for no deletion.
  const isSignedIn = method !== "DELETE" && random.chance(0.25);
  const credential = isSignedIn ? [`Authorization: Bearer ${token}`] : [];
  const lines = [`${method} ${target} ${version}`, ...credential, ...hostileHeaders(random, body), "", ""];
  const bytes = lines.join(lineEnd) + body.bytes;
  return { ...frame(random, bytes, body.isShort), method, target };
}

function drawMethod(random: Random): string {
  return random.chance(0.7) ? random.pick(["GET", "POST"]) : random.pick(methods);
}

function junk(random: Random): HostileRequest {
  const starts = [
    "",
    "\r\n\r\n",
    "\0\0\0\0",
    "\u0016\u0003\u0001\u0002\0",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "SSH-2.0-x\r\n",
    "{}",
  ];
  const bytes = `${random.pick(starts)}${random.bytes(300)}\r\n\r\n`;
  return { parts: [bytes], endsEarly: true, method: "", target: "" };
}

function frame(random: Random, bytes: string, isShort: boolean): Pick<HostileRequest, "parts" | "endsEarly"> {
  // Cut anywhere: in the request line, in a header, in the body.
  if (random.chance(0.04)) return { parts: [bytes.slice(0, 1 + random.below(bytes.length))], endsEarly: true };
  // The same again behind it: an answer must not slip into the wrong place.
  if (random.chance(0.04) && bytes.length < 20_000) return { parts: [bytes + bytes], endsEarly: isShort };
  if (random.chance(0.05) && bytes.length < 20_000) {
    const at = random.below(bytes.length);
    return { parts: [bytes.slice(0, at), bytes.slice(at)], endsEarly: isShort };
  }
  return { parts: [bytes], endsEarly: isShort };
}
