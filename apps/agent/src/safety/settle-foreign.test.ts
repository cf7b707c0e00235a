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
