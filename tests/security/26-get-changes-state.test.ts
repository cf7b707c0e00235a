import { hash } from "node:crypto";
import { appendFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inLanes } from "./support/in-lanes.ts";
import { newClient } from "./support/new-client.ts";
import { readOpenApi } from "./support/openapi.ts";
import { type RequestOptions, send } from "./support/raw-http.ts";
import { makeScratch } from "./support/scratch.ts";
import { startServer, type TestServer } from "./support/server.ts";
import { signIn } from "./support/sign-in.ts";
import { count, tried } from "./support/tried.ts";

/** Nezha and Tailscale: a link or an image tag on another site was enough to change something. */
const token = "m".repeat(40);
const overrides: readonly (readonly [string, string])[] = [
  ["X-HTTP-Method-Override", "DELETE"],
  ["X-HTTP-Method", "POST"],
  ["X-Method-Override", "PUT"],
];
const queries = ["", "?_method=DELETE", "?action=delete&id=1", "?after=0", "?confirm=1", "?redirect=/x", "?set=1"];
const pages = ["/", "/login", "/logout", "/settings/reset?confirm=1", "/theme-init.js", "/assets/none.js", "/api/none"];

test("no GET and no HEAD changes a byte of what is kept", async (context) => {
  await using server = await startServer({ env: { SERVICE_METRICS_TOKEN: token, SERVICE_TRUST_PROXY: "1" } });
  const { operations } = await readOpenApi(server.port);
  const paths = operations
    .filter(({ method }) => method === "GET")
    .map(({ path }) => path.replaceAll(/\{[a-zA-Z]+\}/g, "1"));
  const credentials = [[], [["Authorization", `Bearer ${token}`] as const]];
  const requests: RequestOptions[] = [...paths, ...pages].flatMap((path) =>
    ["GET", "HEAD"].flatMap((method) =>
      queries.flatMap((query) =>
        [...overrides.map((header) => [header]), ...credentials].map((headers) => ({
          method,
          path: path + (path.includes("?") ? query.replace("?", "&") : query),
          headers: [newClient(), ...headers],
        })),
      ),
    ),
  );
  const administrator = await signIn(server.port);
  const ask = (request: RequestOptions) => send(server.port, request);
  const before = await everythingKept(server);
  await inLanes(requests, 8, ask);
  const answers = await inLanes(requests, 8, (request) => ask(administrator.as(request)));
  expect(await everythingKept(server)).toEqual(before);
  expect(Object.keys(before.files)).toContain("state.json.audit-wal");
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(paths.length);
  tried(
    context,
    `${count(requests.length, "requests")} to ${count(paths.length + pages.length, "paths")}, by a stranger and by an administrator`,
  );
});

test("the comparison sees a single byte that changed", async () => {
  await using scratch = await makeScratch();
  await appendFile(join(scratch.path, "state.json"), "{}");
  const before = await fingerprint(scratch.path);
  await appendFile(join(scratch.path, "state.json"), " ");
  expect(await fingerprint(scratch.path)).not.toEqual(before);
});

/**
 * Content and mode of every file, and the position of the newest record. Not of telemetry.db: when a credential was last
 * used is noted there once a minute, and is no state (store rule 10).
 */
async function everythingKept(server: TestServer) {
  const headers = [["Authorization", `Bearer ${token}`] as const];
  const { body } = await send(server.port, { path: "/api/metrics", headers });
  const position = /^gatehouse_audit_position (\d+)$/m.exec(body.toString())?.[1];
  expect(position).toBeDefined();
  const files = Object.entries(await fingerprint(server.dataDir)).filter(([name]) => !name.startsWith("telemetry.db"));
  return { position, files: Object.fromEntries(files) };
}

async function fingerprint(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory, { recursive: true });
  const entries = await Promise.all(
    names.sort().map(async (name) => {
      const found = await stat(join(directory, name));
      const mode = found.mode;
      if (found.isDirectory()) return [name, mode.toString(8)] as const;
      const text = await readFile(join(directory, name), "latin1");
      // The mark that a group is durable follows it after a while, whether anybody asks something or not.
      return [name, `${mode.toString(8)} ${hash("sha256", text.replaceAll(/\n\{"synced":.*\}\n/g, ""))}`] as const;
    }),
  );
  return Object.fromEntries(entries);
}
