/** Where a request goes, decided once, on the bytes as they came. */
export interface RequestPath {
  readonly place: "api" | "asset" | "theme-init" | "page" | "nowhere" | "malformed";
  readonly path: string;
  /** What follows the question mark. Never logged: it may hold what a person searched for. */
  readonly query: string;
}

/**
 * Nothing is decoded, folded or merged: what a proxy in front saw is what is judged here. A path that only *means*
 * `/api/…` after decoding (`//api/`, `/API/`, `/%61pi/`) is not under `/api/`, so it is a page and gets the shell's
 * constant bytes. A path that is under `/api/` but not in its one plain form (`/api/../`, `%2f`, `;`) is nowhere.
 */
export function readRequestPath(target: string): RequestPath {
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? "" : target.slice(mark + 1);
  return { place: placeOf(path), path, query };
}

function placeOf(path: string): RequestPath["place"] {
  if (path.charCodeAt(0) !== slash) return "malformed"; // `*` and `http://…` are for proxies.
  if (path.startsWith("/api/")) return plainApiPath.test(path) ? "api" : "nowhere";
  if (path.startsWith("/assets/")) return "asset";
  if (path === "/theme-init.js") return "theme-init";
  return "page";
}

const slash = 0x2f;

/** Segments of unreserved characters that begin with a letter, a digit or an underscore: no `..`, no `%`, no `;`, no `//`. */
const plainApiPath = /^\/api(?:\/[A-Za-z0-9_][A-Za-z0-9._~:@-]*)+$/;
