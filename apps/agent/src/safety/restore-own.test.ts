import { fault } from "@gatehouse/contract/faults";
import type { OperationKind } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { playChange } from "../../test/play-change.ts";
import { endOfSample, hostBefore, RestoredHost, sampleParts } from "../../test/restored-host.ts";
import { bootHost } from "./boot-host.ts";
import { settleOpenChange } from "./settle-change.ts";

/** The sample change, with files that are Gatehouse's own and from which something runs. */
async function ownHost() {
  const host = new RestoredHost();
  await playChange(host, "checking");
  const { deps } = host;
  const started: string[] = [];
  const failing = { with: undefined as Error | undefined };
  const startAnew = async () => {
    started.push(`with ${host.parts.get(sampleParts.file)}`);
    if (failing.with !== undefined) throw failing.with;
  };
  const findChange = (kind: OperationKind) => {
    const change = deps.host.findChange(kind);
    return kind === "file.write" && change !== undefined ? { ...change, isOwn: true as const, startAnew } : change;
  };
  return { host, started, failing, deps: { ...deps, host: { ...deps.host, findChange } } };
}

test("what runs of something is started anew when all is put back, and before that is told", async () => {
  const { host, started, failing, deps } = await ownHost();
  failing.with = fault("restore.failed", "systemctl ended with 1");
  await expect(settleOpenChange(deps, { isBoot: false })).rejects.toThrow(/^restore\.failed: systemctl/);
  expect(host.now()).toEqual(hostBefore);
  expect(await endOfSample(host), "what was taken back may still run").toBeUndefined();
  failing.with = undefined;
  started.length = 0;
  await settleOpenChange(deps, { isBoot: false });
  expect(started).toEqual(["with old words", "with old words"]);
  expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back" });
});

test("at boot nothing runs yet: what is put back is started by the boot itself", async () => {
  const { host, started, deps } = await ownHost();
  expect(await bootHost(deps)).toMatchObject({ ok: true });
  expect(started).toEqual([]);
  expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back" });
});

test("what is found in the place of something of ours is nobody else's work", async () => {
  const { host, deps } = await ownHost();
  host.put(sampleParts.file, "an agent that nobody can ask for its version");
  await settleOpenChange(deps, { isBoot: false });
  expect(host.parts.get(sampleParts.file)).toBe("old words");
  expect(await endOfSample(host)).toMatchObject({ outcome: "rolled_back", foreign: [] });
});
