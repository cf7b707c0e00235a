import { readContainer, sectionBits } from "@gatehouse/approval";
import { firstTrust, judgeApprovals, parseTrust } from "@gatehouse/approval/verify";
import type { PlanApproval } from "@gatehouse/contract/records";
import { describe, expect, test } from "vitest";
import { makeApprover, signedContainer } from "../../../../../tests/support/signed-approval.ts";
import { type ApprovalChoice, chooseApproval } from "./choose-approval.ts";
import { risksOf } from "./make-task.ts";
import { hour, serverWord } from "./plan-run-cases.ts";
import { parseSoundTrust, trustOfSection } from "./section-trust.ts";

const now = 1_800_000_000_000;
const planDigest = "ab".repeat(32);
const ada = makeApprover(1);
const bob = makeApprover(2);
const stranger = makeApprover(3);
const trustFile = firstTrust(
  [
    { name: "Ada", keys: [{ blob: ada.blob }] },
    { name: "Bob", keys: [{ blob: bob.blob }] },
  ],
  { thresholds: { change: 1, network: 2, update: 2, terminal: 1, trust: 2 } },
);
const trust = parseTrust(trustFile);

interface Given {
  readonly id?: string;
  readonly notBefore?: number;
  readonly notAfter?: number;
  readonly sections?: readonly number[];
}

/** An approval as it stands in a plan's record, with its bytes. */
function signed(key: typeof ada, { id = "01", sections = [0, 1], ...times }: Given = {}) {
  const { notBefore = now, notAfter = now + hour } = times;
  const approval = {
    approvalId: id.repeat(16),
    planDigest,
    sections: sectionBits(2, [...sections]),
    issuedAt: notBefore,
    notBefore,
    notAfter,
    rollbackWindow: 120,
    confirmation: 1,
    settle: 0,
    trust: [trust.digest],
  };
  const name = `${id}-${key.line}-${notAfter}`;
  const row = serverWord(now, { id: approval.approvalId, kind: "signed", container: name, notBefore, notAfter });
  return { row, bytes: signedContainer(key, approval) };
}

function choose(given: readonly (ReturnType<typeof signed> | PlanApproval)[], more: Partial<ApprovalChoice> = {}) {
  const rows = given.map((one) => ("row" in one ? one.row : one));
  const containers = given.flatMap((one) => ("row" in one ? [[one.row.container ?? "", one.bytes] as const] : []));
  return chooseApproval({
    approvals: rows,
    containers: new Map(containers),
    trust: { accepts: "signed", trust: Buffer.from(trustFile).toString("base64") },
    planDigest,
    sectionIndex: 1,
    sectionCount: 2,
    risks: ["change"],
    now,
    ...more,
  });
}

describe("the approval that a task is sent under", () => {
  test("is one that its host would take, with all signatures that count there", () => {
    const chosen = choose([signed(ada), signed(stranger), signed(bob)], { risks: ["network"] });
    if (chosen.kind !== "signed") throw new Error(chosen.kind);
    expect(readContainer(chosen.container)).toHaveLength(2);
    const judged = judgeApprovals(chosen.container, {
      trust,
      planDigest,
      sectionIndex: 1,
      sectionCount: 2,
      risks: ["network"],
      together: false,
      clock: { wall: now, floorNow: now },
      isSpent: () => false,
      horizon: 0,
      isRevoked: () => false,
    });
    expect(judged.persons).toEqual(["Ada", "Bob"]);
  });

  test("is the one that ends first, of those whose time it is", () => {
    const long = signed(ada, { id: "01" });
    const short = signed(bob, { id: "02", notAfter: now + hour / 2 });
    const later = signed(ada, { id: "03", notBefore: now + 1, notAfter: now + hour / 4 });
    expect(choose([long, short, later])).toMatchObject({ kind: "signed", id: "02".repeat(16) });
    expect(choose([long, short], { only: "01".repeat(16) })).toMatchObject({ id: "01".repeat(16) });
    expect(choose([later])).toEqual({ kind: "early" });
  });

  test("is none where persons are missing, or signed another section, or under another id", () => {
    const network = { risks: ["network"] } as const;
    expect(choose([signed(ada)], network)).toMatchObject({ kind: "none", code: "plan.not_approved" });
    expect(choose([signed(ada, { id: "01" }), signed(bob, { id: "02" })], network)).toMatchObject({ kind: "none" });
    expect(choose([signed(ada, { sections: [0] })])).toMatchObject({ code: "plan.not_approved" });
    expect(choose([signed(stranger)])).toMatchObject({ code: "plan.not_approved" });
    expect(choose([])).toMatchObject({ code: "plan.not_approved" });
  });

  test("is none when its time is over, and that is told apart from never having been enough", () => {
    const old = signed(ada, { notBefore: now - hour, notAfter: now - 1 });
    expect(choose([old])).toMatchObject({ kind: "none", code: "time.expired" });
    expect(choose([old, signed(stranger, { id: "02" })])).toMatchObject({ code: "time.expired" });
    expect(choose([serverWord(now - 2 * hour)], { trust: { accepts: "server", trust: null } })).toMatchObject({
      code: "time.expired",
    });
  });

  test("is the server's own word for a host that takes it, and for no other", () => {
    const word = serverWord(now);
    const server = { trust: { accepts: "server", trust: null } } as const;
    expect(choose([word, signed(ada)], server)).toEqual({
      kind: "server",
      id: word.id,
      rollbackWindow: 120,
      users: [word.user],
      word,
    });
    expect(choose([word], { ...server, only: "ff".repeat(16) })).toMatchObject({ code: "plan.not_approved" });
    expect(choose([word])).toMatchObject({ code: "plan.not_approved" });
  });

  test("is none for a host that takes no changes, did not say so, or whose trust file or whose bytes are none", () => {
    expect(choose([signed(ada)], { trust: { accepts: "none", trust: null } })).toMatchObject({ code: "ceiling.off" });
    expect(choose([signed(ada)], { trust: undefined })).toMatchObject({ code: "ceiling.off" });
    for (const text of [null, Buffer.from("{}").toString("base64")]) {
      expect(choose([signed(ada)], { trust: { accepts: "signed", trust: text } })).toMatchObject({
        code: "plan.not_approved",
      });
    }
    const lost = signed(ada);
    expect(choose([lost.row])).toMatchObject({ code: "plan.not_approved" });
    expect(choose([{ ...lost, bytes: Buffer.from("[]\n") }])).toMatchObject({ code: "plan.not_approved" });
  });
});

describe("an approval that was kept", () => {
  test("and whose bytes are missing or none counts for nothing", () => {
    const { row, bytes } = signed(ada);
    expect(choose([row])).toMatchObject({ kind: "none", code: "plan.not_approved" });
    expect(choose([{ row, bytes: bytes.subarray(1) }])).toMatchObject({ kind: "none", code: "plan.not_approved" });
  });

  test("has ended for whoever has not heard of it, and not for a host that may have begun under it", () => {
    const ended = signed(ada, { notBefore: now - hour, notAfter: now - 1 });
    expect(choose([ended])).toMatchObject({ kind: "none", code: "time.expired" });
    const again = { only: ended.row.id, alsoEnded: true };
    expect(choose([ended, signed(bob, { id: "02" })], again)).toMatchObject({ kind: "signed", id: ended.row.id });
  });

  test("is held against what its host said; a trust file that cannot be read is none, and a defect is told", () => {
    expect(() => parseSoundTrust(undefined as unknown as Uint8Array)).toThrow(TypeError);
    expect(parseSoundTrust(Uint8Array.of(1))).toBeUndefined();
    expect(trustOfSection(undefined)).toBeUndefined();
    expect(risksOf(undefined)).toEqual([]);
  });
});
