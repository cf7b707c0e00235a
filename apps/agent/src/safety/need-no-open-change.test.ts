import { faultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { agentPaths } from "../config.ts";
import { sampleData, sampleTask } from "./journal-cases.ts";
import { needNoOpenChange } from "./need-no-open-change.ts";
import { openJournal } from "./open-journal.ts";

function place() {
  const paths = agentPaths("/host");
  const vfs = faultyVfs({ directories: [paths.helperState] });
  const times = { now: () => 1, uptimeMs: () => 1, boot: "b" };
  const open = () => openJournal({ vfs, directory: paths.journal, withLock: (act) => act(), ...times });
  return { paths, vfs, openJournal: open };
}

test("a host that has begun nothing has no journal, and is not given one by looking", async () => {
  const host = place();
  await needNoOpenChange(host);
  await expect(host.vfs.list(host.paths.journal)).rejects.toThrowError();
});

test("an open change is named, with where it stands; one that has ended is none", async () => {
  const host = place();
  const journal = await host.openJournal();
  await needNoOpenChange(host);
  await journal.append(sampleTask, "accepted", sampleData.accepted);
  await expect(needNoOpenChange(host)).rejects.toThrowError(`slot.busy: ${sampleTask} is open, and is at "accepted"`);
  await journal.append(sampleTask, "ended", { ...sampleData.ended, outcome: "failed_before_change" });
  await needNoOpenChange(host);
});

test("what cannot be looked at is not taken for nothing", async () => {
  const host = place();
  const list = () => Promise.reject(Object.assign(new Error("EIO: no disk"), { code: "EIO" }));
  await expect(needNoOpenChange({ ...host, vfs: { ...host.vfs, list } })).rejects.toThrowError(/EIO/);
});
