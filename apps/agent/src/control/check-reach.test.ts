import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { honestChallenge } from "../../test/fake-control-server.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { putPinnedServer } from "../local/server-file.ts";
import { checkReach } from "./check-reach.ts";

async function reachOf(status: number) {
  const http = createServer((_, response) => response.writeHead(status, { location: "/" }).end());
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.close());
  const host = makeHostDirectory();
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  await putPinnedServer(host, { url, key: honestChallenge.server });
  return { host, http, url, check: () => checkReach(host.paths) };
}

test("a host that is not enrolled has no way to look at", async () => {
  expect(await checkReach(makeHostDirectory().paths)).toEqual([]);
});

test.each([
  [404, true],
  [307, false],
  [502, false],
])("a server that answers %i is reached: %s", async (status, ok) => {
  const { check } = await reachOf(status);
  const [found] = await check();
  expect(found?.ok).toBe(ok);
  expect(found?.todo === "").toBe(ok);
});

test("a server that is not there is told with what failed", async () => {
  const { check, http } = await reachOf(200);
  await new Promise<void>((resolve) => void http.close(() => resolve()));
  expect(await check()).toEqual([
    expect.objectContaining({ ok: false, found: expect.stringContaining("ECONNREFUSED") }),
  ]);
});
