import type { RouteSpec, SocketSpec } from "@gatehouse/contract/routes";
import type { SocketRoute } from "../platform/route/index.ts";

export interface FoundSocket {
  readonly row: SocketRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Which socket a plain path names. Asked for every request that wants another protocol. */
export function findSocketIn(sockets: readonly SocketRoute[]): (path: string) => FoundSocket | undefined {
  const patterns = sockets.map((row) => ({ row, segments: row.spec.path.split("/") }));
  return (path) => {
    const segments = path.split("/");
    for (const { row, segments: pattern } of patterns) {
      const params = paramsOf(pattern, segments);
      if (params !== undefined) return { row, params };
    }
    return undefined;
  };
}

function paramsOf(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined;
  const params: Record<string, string> = Object.create(null);
  for (const [at, part] of pattern.entries()) {
    const found = path[at] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = found;
    else if (part !== found) return undefined;
  }
  return params;
}

/** A socket begins as a GET, which keeps the rules of one. The gate of the routes lets agents through: they prove who they are later. */
export function handshakeOf(spec: SocketSpec): RouteSpec {
  const access = spec.from === "agent" ? ofAgents : spec.access;
  return { ...spec, method: "GET", access, responses: { 101: null } };
}

const ofAgents = { kind: "public", because: "the hello on the socket is the credential" } as const;

/** What a row of a socket must say beside what every row says. One that came past the types must not be served either. */
export function checkSocketRow({ spec, admit }: SocketRoute): void {
  const name = `route table: the socket ${spec.path}`;
  if (!isFromSomebody(spec)) throw new Error(`${name} does not say who opens it`);
  if (!Number.isInteger(spec.maxFrame) || spec.maxFrame < 1 || spec.maxFrame > mostFrameBytes) {
    throw new Error(`${name} has no bound for its messages`);
  }
  if (spec.subprotocol !== undefined && !subprotocolForm.test(spec.subprotocol)) {
    throw new Error(`${name} speaks a protocol that no header can name`);
  }
  if (spec.from === "browser" && spec.access.nodes === "filtered" && admit === undefined) {
    throw new Error(`${name} filters by node and has nothing to do it with`);
  }
}

/** ws reads 0 as "no bound", so it is refused; nothing here needs larger messages than this. */
const mostFrameBytes = 1024 * 1024;
/** A token of RFC 9110. */
export const subprotocolForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

/** Silence, or a row for agents that names another access, would be an open door. */
function isFromSomebody({ from, access }: SocketSpec): boolean {
  const kind: string | undefined = access?.kind;
  if (from === "agent") return kind === "agent";
  return from === "browser" && (kind === "signed-in" || kind === "scope");
}
