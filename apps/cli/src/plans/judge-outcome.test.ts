import { serverOrderId } from "@gatehouse/approval";
import { expect, test } from "vitest";
import { hosts, samplePlan } from "../../test/sample-plan.ts";
import { endedTask, sampleTask } from "../../test/sample-task.ts";
import { sha256Of } from "../sha256-of.ts";
import { judgeOutcome } from "./judge-outcome.ts";
import { identityOf } from "./read-plan.ts";

const identity = identityOf(samplePlan().document);

test("an end that its host has signed is the host's own word, with the host's reason and not the server's", () => {
  const detail = { code: "confirm.late", detail: "nobody answered", foreign: ["firewall:gatehouse_a"], told: [] };
  const task = { ...endedTask(1, "rolled_back", { detail }), code: "internal", detail: "invented" };
  expect(judgeOutcome(task, identity)).toEqual({ word: "host", at: "2026-11-17T05:00:00.000Z", ...detail });
  expect(judgeOutcome(endedTask(0, "applied"), identity)).toMatchObject({ word: "host", code: null, detail: null });
});

test("what was read is told as the host has signed it, and never as the server shows it", () => {
  const told = [{ operation: 2, lines: ["ready"] }];
  const task = { ...endedTask(0, "applied", { detail: { told } }), told: [{ operation: 0, lines: ["invented"] }] };
  expect(judgeOutcome(task, identity)).toMatchObject({ word: "host", told });
  expect(judgeOutcome(endedTask(0, "applied"), identity)).toMatchObject({ word: "host", told: [] });
});

test("on a server's word the host signs the id of the order that this very task was sent under", () => {
  const word = "0a".repeat(16);
  const orderOf = (task: string) => ({ approvalId: Buffer.from(serverOrderId(sha256Of, task, word), "hex") });
  expect(judgeOutcome(endedTask(0, "applied", { wrong: orderOf("task_0") }), identity).word).toBe("host");
  expect(judgeOutcome(endedTask(0, "applied", { wrong: orderOf("task_1") }), identity).word).toBe("unproven");
});

test("what no host signs is the server's word", () => {
  for (const state of ["queued", "sent", "unknown", "refused", "stale"] as const) {
    expect(judgeOutcome(sampleTask(0, { state }), identity)).toEqual({ word: "server" });
  }
});

const long = "A".repeat(60_001);

/** Rows 180 and 181 of the attacks: forged outcomes, and true ones of something else. */
test.each([
  ["nothing", { ...endedTask(0, "applied"), outcome: null }, "shows nothing that the host has signed"],
  ["rubbish", { ...endedTask(0, "applied"), outcome: "AAAA" }, "is no outcome"],
  ["no base64url", { ...endedTask(0, "applied"), outcome: "*" }, "is no outcome"],
  ["more than any host sends", { ...endedTask(0, "applied"), outcome: long }, "is no outcome"],
  ["a moment of no calendar", endedTask(0, "applied", { wrong: { at: 8.64e15 + 1 } }), "is no outcome"],
  ["another host's word", endedTask(0, "applied", { by: 1 }), "another host has signed it"],
  [
    "another key under the host's id",
    endedTask(0, "applied", { by: 1, wrong: { nodeId: hosts[0]?.id ?? "" } }),
    "another host has signed it",
  ],
  ["a signature that does not fit", { ...endedTask(0, "applied"), outcome: brokenOutcome() }, "does not fit"],
  ["one for another plan", endedTask(0, "applied", { wrong: { planDigest: new Uint8Array(32) } }), "for another plan"],
  ["one for another section", endedTask(0, "applied", { wrong: { index: 1 } }), "for another section"],
  ["one for another task", endedTask(0, "applied", { wrong: { task: "task_9" } }), "for another task"],
  [
    "one for another approval",
    endedTask(0, "applied", { wrong: { approvalId: new Uint8Array(16) } }),
    "for another approval",
  ],
  ["one for an approval that is not named", { ...endedTask(0, "applied"), approval: null }, "for another approval"],
  ["another end", endedTask(0, "applied", { wrong: { outcome: "rolled_back" } }), "the host has signed rolled_back"],
  [
    "an end, where it says unknown",
    { ...endedTask(0, "failed_after_change"), state: "unknown" as const },
    "the host has signed failed_after_change",
  ],
  ["a host in another's place", { ...endedTask(0, "applied"), index: 1 }, "the plan has another host in this place"],
])("a server that shows %s proves nothing", (_, task, why) => {
  expect(judgeOutcome(task, identity)).toEqual({ word: "unproven", why: expect.stringContaining(why) });
});

function brokenOutcome(): string {
  const { outcome } = endedTask(0, "applied");
  const bytes = Buffer.from(outcome ?? "", "base64url");
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return bytes.toString("base64url");
}
