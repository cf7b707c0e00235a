import type { RouteSpec } from "@gatehouse/contract/routes";
import { contractRows } from "../support/contract-rows.ts";
import type { Random } from "../support/random.ts";

/** Every path of the API with something in the place of its parameters, and paths of nobody. */
const paths = [
  ...new Set(contractRows.map(pathOf)),
  "/api/terminal/sessions/x/attach",
  "/api/agent/control/stream",
  "/api/none",
  "/api/",
  "/api",
  "/",
  "/login",
  "/nodes/node_00000000000000000000000001",
  "/assets/none.js",
  "/assets/",
  "/theme-init.js",
];
const bodyPaths = contractRows.filter(({ method, body }) => method === "POST" && body !== undefined).map(pathOf);
const pieces = [
  "..",
  "../",
  "..%2f",
  "%2e%2e%2f",
  "..%5c",
  "..\\",
  "%00",
  "\0",
  "%",
  "%zz",
  "%c0%ae",
  "%uff0e",
  "//",
  "/./",
  ";x=1",
  "%3b",
  "#x",
  "\\",
  "%2f",
  "~",
  "@evil.example",
  ":80",
  "é",
  "\u00ff\u00fe",
  "%0d%0aX-Injected:1",
  "\t",
  " ",
  "__proto__",
  "constructor",
  "state.json",
  "master.key",
  "etc/passwd",
  "*",
  "{}",
  "$(id)",
  "'\"<script>",
];
const queries = [
  "?",
  "?x=1",
  "?token=abc",
  "??",
  "?a=1&a=2",
  "?__proto__[x]=1",
  "?%",
  "?after=-1",
  "?after=1e9",
  "?\0",
  "?x=%0d%0a",
];
const forms = [
  "*",
  "http://localhost/api/health",
  "https://evil.example/",
  "localhost:80",
  "//evil.example/api/health",
  "api/health",
  "?",
  "",
];

/** A path of the server with something wrong in it; or one that is not a path at all. */
export function hostileTarget(random: Random, method: string): string {
  if (random.chance(0.04)) return random.pick(forms);
  // Where a body is read and understood there is more to break.
  if (method === "POST" && random.chance(0.5)) return random.pick(bodyPaths);
  let target = random.pick(paths);
  if (random.chance(0.02)) target += "/a".repeat(random.below(10_000));
  while (random.chance(0.25)) target = insert(random, target, random.pick(pieces));
  if (random.chance(0.1)) target = recase(random, target);
  if (random.chance(0.05)) target = encode(random, target);
  if (random.chance(0.05)) target = insert(random, target, random.bytes(20));
  if (random.chance(0.2)) target += random.pick(queries);
  return target;
}

function pathOf({ path }: RouteSpec): string {
  return path.replaceAll(/:[a-zA-Z]+/g, "x");
}

function insert(random: Random, text: string, piece: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
}

function recase(random: Random, text: string): string {
  return text
    .split("")
    .map((letter) => (random.chance(0.3) ? letter.toUpperCase() : letter))
    .join("");
}

function encode(random: Random, text: string): string {
  const hex = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return text
    .split("")
    .map((letter) => (random.chance(0.3) ? hex(letter) : letter))
    .join("");
}
