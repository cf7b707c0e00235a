import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask } from "./ask.ts";
import { gatehouse, root, runServer, testWithControl, useServer } from "./server-under-test.ts";

/** Contract 9, as far as it speaks about the server; image channels are tested on the image. */
const server = useServer();

test("The build version is exposed by `GET /api/version`", async () => {
  const { json } = await ask(server.baseUrl, "/api/version");
  expect(json["version"]).toBe(versionInSources());
});

testWithControl("server, command line and API description are of one version", async () => {
  const version = versionInSources();
  expect((await runServer(["--version"])).out).toBe(version);
  const cli = await gatehouse(["version", "--json"]);
  expect(JSON.parse(cli.out)).toMatchObject({ version });
  const { json } = await ask(server.baseUrl, "/api/openapi.json");
  expect(json).toMatchObject({ info: { version } });
});

test("The WebSocket-based terminal and agent control channels exist from release 0.2.1 on", async () => {
  const { json } = await ask(server.baseUrl, "/api/openapi.json");
  const paths = Object.keys(json["paths"] as object);
  const channels = ["/api/terminal/sessions/{id}/attach", "/api/agent/terminal/stream", "/api/agent/control/stream"];
  for (const path of channels) expect(paths.includes(path), path).toBe(isAtLeast(versionInSources(), [0, 2, 1]));
});

test("API version prefix: there is none", async () => {
  const { json } = await ask(server.baseUrl, "/api/openapi.json");
  expect(Object.keys(json["paths"] as object).filter((path) => /^\/api\/v\d/.test(path))).toEqual([]);
  expect((await ask(server.baseUrl, "/api/v1/health")).status).toBe(404);
});

function versionInSources(): string {
  return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
}

function isAtLeast(version: string, least: readonly [number, number, number]): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, number] of least.entries()) {
    if (parts[index] !== number) return (parts[index] ?? 0) > number;
  }
  return true;
}
