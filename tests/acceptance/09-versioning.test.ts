import { readFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { answerTo, ask, beginAsking } from "./ask.ts";
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

/** From which version on each of the three is there. A pre-release is a test channel of the release that it leads to. */
const channels = {
  "/api/agent/control/stream": "0.2.1-alpha.1",
  "/api/agent/terminal/stream": "0.2.1",
  "/api/terminal/sessions/{id}/attach": "0.2.1",
} as const;

describe("The WebSocket-based terminal and agent control channels exist from release 0.2.1 on", () => {
  test.each(Object.entries(channels))("%s exists from %s on, and not before", async (path, since) => {
    const { json } = await ask(server.baseUrl, "/api/openapi.json");
    const isThere = Object.keys(json["paths"] as object).includes(path);
    expect(isThere).toBe(compareVersions(versionInSources(), since) >= 0);
    const sent = beginAsking(server.baseUrl, { path: path.replace("{id}", "ter_1"), headers: agentHandshake });
    const upgraded = once(sent, "upgrade").then(([, socket]) => (socket as Socket).destroy() && true);
    const refused = answerTo(sent).then(({ status }) => status !== 404);
    for (const end of [upgraded, refused]) end.catch(() => undefined);
    sent.end();
    expect(await Promise.race([upgraded, refused])).toBe(isThere);
  });

  test("a pre-release comes before its release, and numbers in it count as numbers", () => {
    const rising = [
      "0.1.7",
      "0.2.0",
      "0.2.1-alpha.1",
      "0.2.1-alpha.2",
      "0.2.1-alpha.10",
      "0.2.1-beta.1",
      "0.2.1",
      "0.10.0",
    ];
    for (const [at, version] of rising.entries()) {
      for (const [other, than] of rising.entries()) {
        expect(Math.sign(compareVersions(version, than)), `${version} ${than}`).toBe(Math.sign(at - other));
      }
    }
  });
});

const agentHandshake = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Protocol": "gatehouse.agent.1",
};

test("API version prefix: there is none", async () => {
  const { json } = await ask(server.baseUrl, "/api/openapi.json");
  expect(Object.keys(json["paths"] as object).filter((path) => /^\/api\/v\d/.test(path))).toEqual([]);
  expect((await ask(server.baseUrl, "/api/v1/health")).status).toBe(404);
});

function versionInSources(): string {
  return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
}

/** Below, equal or above, as semantic versions are ordered; of the kinds of pre-release that there are. */
function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => {
    const [release = "", pre] = version.split("-");
    const rank = pre === undefined ? [1] : [0, pre.startsWith("alpha") ? 0 : 1, Number(pre.split(".")[1])];
    return [...release.split(".").map(Number), ...rank];
  });
  for (const [index, number] of (first ?? []).entries()) {
    const difference = number - (second?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
