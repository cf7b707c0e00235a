import { faultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import type { ConnectionStatus } from "./connection-status.ts";
import { parseConnectionStatus } from "./connection-status.ts";
import { putStatus } from "./put-status.ts";

const path = "/state/status.json";
const online: ConnectionStatus = {
  schema: 1,
  at: 1,
  server: "https://gh.example",
  state: "connected",
  connectedAt: 1,
  lastClose: null,
  nextTryAt: null,
  outbox: { records: 0, bytes: 0, dropped: 0 },
};
const waiting: ConnectionStatus = { ...online, state: "waiting", connectedAt: null, server: "https://g.example" };

test("a full disk shows the newest status all the same, written over the one before", async () => {
  const vfs = faultyVfs({ directories: ["/state"] });
  const read = () => parseConnectionStatus(vfs.contents().get(path) ?? new Uint8Array());
  await putStatus(vfs, path, online);
  vfs.setCapacity(vfs.contents().get(path)?.length ?? 0);
  await putStatus(vfs, path, waiting);
  expect(read()).toEqual(waiting);
  vfs.setCapacity(10 ** 6);
  await putStatus(vfs, path, online);
  expect(read()).toEqual(online);
});

test("a disk that is full before the first one, or fails otherwise, says so", async () => {
  const vfs = faultyVfs({ directories: ["/state"], capacity: 0 });
  await expect(putStatus(vfs, path, online)).rejects.toThrow(/ENOENT/);
  vfs.setCapacity(10 ** 6);
  vfs.failNext("write", 1, "EIO");
  await expect(putStatus(vfs, path, online)).rejects.toThrow(/EIO/);
});
