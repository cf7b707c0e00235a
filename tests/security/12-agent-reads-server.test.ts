import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newHost } from "./support/fleet.ts";
import { enter } from "./support/people.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Jenkins: an agent had the server read files for it. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port, dataDir } = server;
const places = [
  "master.key",
  "state.json",
  "../data/master.key",
  "/etc/passwd",
  "..%2fmaster.key",
  "%2e%2e/%2e%2e/etc/passwd",
];

test("no name that an agent asks for becomes a path: downloads are two, and nothing else is served", async (context) => {
  const secrets = [readFileSync(join(dataDir, "master.key"), "utf8").trim(), "root:x:0:0"];
  const asked = places.flatMap((place) => [place, `x64/../../${place}`, `x64%00${place}`, `x64;${place}`]);
  for (const place of asked) {
    const { status, body } = await send(port, { method: "GET", path: `/api/agent/download/${place}`, headers: [] });
    expect([400, 404], place).toContain(status);
    for (const secret of secrets) expect(body.includes(secret), place).toBe(false);
  }
  tried(context, count(asked.length, "names"));
});

test("paths in every text that a host may send stay texts: nothing is read, and no file appears", async (context) => {
  const owner = await enter(port);
  const { hello } = await newHost(port, owner, "reader");
  const listed = () => readdirSync(dataDir).toSorted();
  const before = listed();
  const connection = await hello();
  for (const place of ["/etc/passwd", join(dataDir, "master.key"), "../../etc/shadow"]) {
    await connection.sendFacts({ os: place, kernel: place }, { include: place, level: "monitor" });
  }
  await connection.close();
  expect(listed()).toEqual(before);
  tried(context, count(3, "messages of facts"));
});
