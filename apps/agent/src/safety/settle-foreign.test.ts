import type { OperationKind } from "@gatehouse/plan";
import { describe, expect, test } from "vitest";
import { cannotRestore, endOfSample, hostAfter, RestoredHost, sampleParts } from "../../test/restored-host.ts";
import { playChange } from "../../test/play-change.ts";
import { sampleTask } from "./journal-cases.ts";
import { settleOpenChange } from "./settle-change.ts";

const running = { isBoot: false };

describe("what somebody else had changed in a change that is made step by step", () => {
  /** The second operation of the sample is made step by step; none, one or two of the operations were written down. */
  const hostInSteps = async (written: number) => {
    const host = new RestoredHost();
    const journal = await playChange(host, "armed");
    await journal.append(sampleTask, "applying", {});
    for (let operation = 0; operation < written; operation += 1)
      await journal.append(sampleTask, "applied-op", { operation });
    const { deps } = host;
    const findChange = (kind: OperationKind) => {
      const change = deps.host.findChange(kind);
      return kind === "file.write" && change !== undefined ? { ...change, isMadeInSteps: true as const } : change;
    };
    return { host, deps: { ...deps, host: { ...deps.host, findChange } } };
  };

  test.each([
    ["is not what we have left in the middle ourselves", 1, [sampleParts.newFile]],
    ["is what was changed before its operation began", 0, [sampleParts.file, sampleParts.newFile]],
    ["is what was changed after its operation was made", 2, [sampleParts.file]],
  ] as const)("%s", async (_, written, foreign) => {
    const { host, deps } = await hostInSteps(written);
    host.put(sampleParts.file, "half of it");
    host.put(sampleParts.newFile, "somebody's words");
    await settleOpenChange(deps, running);
    expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back", foreign });
  });

  test("of what is made at once is told also where its operation was begun", async () => {
    const { host } = await hostInSteps(1);
    host.put(sampleParts.file, "somebody's words");
    await settleOpenChange(host.deps, running);
    expect(await endOfSample(host)).toMatchObject({ foreign: [sampleParts.file] });
  });

  test("is not what a try of ours to put it back has left in the middle", async () => {
    const { host, deps } = await hostInSteps(3);
    host.put(sampleParts.file, hostAfter[sampleParts.file]);
    host.put(sampleParts.newFile, hostAfter[sampleParts.newFile]);
    host.before.restore = (subject) => {
      if (subject !== sampleParts.file) return;
      host.put(subject, "half of it");
      cannotRestore();
    };
    await expect(settleOpenChange(deps, running)).rejects.toThrow(/^restore\.failed/);
    delete host.before.restore;
    await settleOpenChange(deps, running);
    expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back", foreign: [] });
  });
});

test("what somebody else has made of a part is copied beside it, and never over what it is put back from", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const directories: string[] = [];
  const findChange = (kind: OperationKind) => {
    const change = host.deps.host.findChange(kind);
    if (change === undefined) return undefined;
    const snapshot: typeof change.snapshot = async (ground, target) => {
      directories.push(ground.directory);
      return change.snapshot(ground, target);
    };
    return { ...change, snapshot };
  };
  host.put(sampleParts.file, "somebody's words");
  await settleOpenChange({ ...host.deps, host: { ...host.deps.host, findChange } }, running);
  expect(directories).toEqual([`${host.deps.paths.foreign}/${sampleTask}`]);
});

test("a host that takes long to say what somebody else has changed is put back without that", async () => {
  const host = new RestoredHost();
  await playChange(host, "checking");
  for (const part of [sampleParts.table, sampleParts.file]) host.put(part, "somebody's words");
  const digestStates: typeof host.deps.host.digestStates = (subjects) => {
    host.uptimeMs += 20_000;
    return host.deps.host.digestStates(subjects);
  };
  await settleOpenChange({ ...host.deps, host: { ...host.deps.host, digestStates } }, running);
  expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back" });
  expect(host.lines).toContainEqual(expect.stringMatching(/and what follows is not looked at: it took too long$/));
});
