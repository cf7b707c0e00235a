import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SignedStatement, sectionBits } from "@gatehouse/approval";
import { fault, isFault } from "@gatehouse/contract/faults";
import { importPrivateKey, signBytes } from "@gatehouse/keys";
import { frame, joinSigned } from "@gatehouse/keys/frame";
import type { Operation } from "@gatehouse/plan";
import { describe, expect, test } from "vitest";
import { approvalOf, madeAt, makeOrder, signedBy, makeKey, makeSshSig } from "../../../../tests/support/signed-task.ts";
import { keptOf } from "../../test/made-artifact.ts";
import { elfOf } from "../../../../tests/support/elf-program.ts";
import { draftTask, finishTask, otherHeader, type TaskDraft, writeTo } from "../../test/task-draft.ts";
import { openTaskJudge } from "./judge-task.ts";

/** One thing that is wrong, by the refusal that it has to get. */
type Wrong = readonly [code: string, make: (draft: TaskDraft) => void];

const day = 86_400_000;
const closed: Operation = { kind: "firewall.apply", table: "gatehouse_edge", input: { policy: "drop", rules: [] } };
const stranger = makeKey("ssh-ed25519", 77);

const changeLast = (bytes: Uint8Array) => bytes.with(bytes.byteLength - 1, (bytes.at(-1) as number) ^ 1);
const first = (change: (item: SignedStatement) => SignedStatement) => (items: readonly SignedStatement[]) =>
  items.map((item, index) => (index === 0 ? change(item) : item));
const addItem = (item: SignedStatement) => (items: readonly SignedStatement[]) => [...items, item];
const put = (draft: TaskDraft, path: string, text: string) =>
  draft.atLast.push(() => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
  });

function otherStatement(draft: TaskDraft): SignedStatement {
  const statement = frame("gatehouse-confirm-plan-v1", new Uint8Array(16));
  return { statement, ssh: makeSshSig(draft.host.approvers[0], statement) };
}

/** Steps 1 to 11, and 34 to 44: the same whoever approves. */
const beforeWord: readonly Wrong[] = [
  ["task.malformed", ({ task }) => task.push((each) => ({ ...each, task: "task_x" }))],
  ["ceiling.off", ({ host, atLast }) => atLast.push(() => host.setCeiling({ schema: 1, level: "monitor" }))],
  ["journal.unsound", (draft) => put(draft, draft.host.paths.used, "unsound")],
  ["journal.unsound", (draft) => put(draft, draft.host.paths.clockFloor, "unsound")],
  ["identity.cloned", ({ host, atLast }) => atLast.push(() => host.setMachine("b"))],
  ["journal.unsound", ({ taken }) => taken.unshift(fault("journal.unsound", "other bytes"))],
  ["slot.busy", ({ taken }) => taken.push(fault("slot.busy", "found another"))],
  ["time.clock_unset", ({ host }) => void (host.time.wall = host.judgeDeps.madeAt - 1)],
  [
    "time.clock_behind",
    (draft) => put(draft, draft.host.paths.clockFloor, JSON.stringify({ schema: 1, wall: madeAt + day })),
  ],
  ["plan.too_large", ({ task }) => task.push((each) => ({ ...each, header: new Uint8Array(64 * 1024 + 1) }))],
  [
    "plan.form",
    ({ task }) => task.push((each) => ({ ...each, section: Buffer.concat([each.section, Buffer.from(" ")]) })),
  ],
  ["plan.kind_unknown", ({ extra }) => void (extra["operations"] = [{ kind: "disk.erase" }])],
  ["plan.schema", ({ extra }) => void (extra["unasked"] = true)],
  ["plan.digest", ({ task }) => task.push((each) => ({ ...each, header: otherHeader }))],
  ["plan.index", ({ task }) => task.push((each) => ({ ...each, index: each.index + 1 }))],
  ["plan.other_node", (draft) => void (draft.nodeId = `node_${"0".repeat(26)}`)],
];

const afterWord: readonly Wrong[] = [
  ["ceiling.kind", ({ operations }) => operations.push({ kind: "service.restart", unit: "app.service" })],
  ["ceiling.path", ({ operations }) => operations.push(writeTo("/etc/application/app.conf"))],
  [
    "ceiling.protected",
    ({ operations, allow }) => {
      allow.push("file.write:/etc/systemd");
      operations.push(writeTo("/etc/systemd/system/gatehouse-helper.service"));
    },
  ],
  ["ceiling.keep", ({ operations }) => operations.push(closed)],
  // One that no operation names. Steps 40 and 41 are those of `judgeArtifacts`.
  ["artifact.digest", ({ task }) => task.push((each) => ({ ...each, artifacts: [keptOf(elfOf("x64"))] }))],
  [
    "path.symlink",
    ({ operations, host, atLast }) => {
      operations.push(writeTo("/etc/app/link"));
      atLast.push(() => symlinkSync("/etc/shadow", join(host.root, "/etc/app/link")));
    },
  ],
  [
    "path.parent",
    ({ operations, host }) => {
      host.write("/etc/app/open/other", "");
      chmodSync(join(host.root, "/etc/app/open"), 0o777);
      operations.push(writeTo("/etc/app/open/x"));
    },
  ],
  [
    "path.kind",
    ({ operations, host }) => {
      host.write("/etc/app/directory/x", "");
      operations.push(writeTo("/etc/app/directory"));
    },
  ],
  [
    "state.unreadable",
    ({ operations, host, allow }) => {
      host.write("/tmp/x/y", "");
      allow.push("file.write:/tmp/x");
      operations.push(writeTo("/tmp/x/y"));
    },
  ],
  [
    "state.stale",
    ({ operations, host, states }) => {
      host.write("/etc/app/other.conf", "changed since");
      states["file:/etc/app/other.conf"] = { sha256: "0".repeat(64), mode: "0644", owner: "root", group: "root" };
      operations.push(writeTo("/etc/app/other.conf"));
    },
  ],
];

const signedWord: readonly Wrong[] = [
  ["trust.none", ({ host, atLast }) => atLast.push(() => rmSync(host.paths.trust))],
  ["trust.unsound", ({ host, atLast }) => atLast.push(() => chmodSync(host.paths.trust, 0o666))],
  ["trust.expired", (draft) => void (draft.trust = { ...draft.trust, notAfter: madeAt })],
  [
    "statement.malformed",
    ({ items }) => items.push(addItem({ statement: Uint8Array.of(1, 2, 3), ssh: Uint8Array.of(4) })),
  ],
  ["statement.kind", (draft) => draft.items.push(addItem(otherStatement(draft)))],
  [
    "statement.differ",
    ({ items, host }) => {
      const plan = { planDigest: "1".repeat(64), index: 0, count: 2 };
      items.push(addItem(signedBy(host.approvers[1], approvalOf(plan, [host.trust.digest]))));
    },
  ],
  ["statement.plan", (draft) => void (draft.approval = { ...draft.approval, planDigest: "0".repeat(64) })],
  ["statement.node", (draft) => void (draft.approval = { ...draft.approval, sections: sectionBits(2, [1]) })],
  ["statement.trust", (draft) => void (draft.approval = { ...draft.approval, trust: ["0".repeat(64)] })],
  ["statement.limits", (draft) => void (draft.approval = { ...draft.approval, rollbackWindow: 5 })],
  ["time.issued_in_future", (draft) => void (draft.approval = { ...draft.approval, issuedAt: madeAt + day })],
  ["time.early", (draft) => void (draft.approval = { ...draft.approval, notBefore: madeAt + day })],
  ["time.expired", (draft) => void (draft.approval = { ...draft.approval, notAfter: madeAt })],
  ["time.too_long", (draft) => void (draft.approval = { ...draft.approval, issuedAt: madeAt - 40 * day })],
  [
    "use.spent",
    ({ used }) => {
      const entry = { approvalId: "ab".repeat(16), planDigest: "0".repeat(64), notAfter: madeAt };
      Object.assign(used, { entries: [entry] });
    },
  ],
  ["use.horizon", ({ used }) => void Object.assign(used, { horizon: madeAt + day })],
  ["signature.key_unknown", (draft) => void (draft.keys = [stranger])],
  ["signature.format", ({ items }) => items.push(first((item) => ({ ...item, ssh: item.ssh.slice(0, -1) })))],
  ["signature.namespace", (draft) => void (draft.approval = { ...draft.approval, signature: { namespace: "git" } })],
  ["signature.invalid", ({ items }) => items.push(first((item) => ({ ...item, ssh: changeLast(item.ssh) })))],
  [
    "signature.threshold",
    (draft) => {
      const thresholds = { change: 2, network: 1, update: 1, terminal: 1, trust: 1 };
      draft.trust = { ...draft.trust, thresholds };
    },
  ],
];

const thief = importPrivateKey(new Uint8Array(32).fill(66));
const otherFrame = frame("gatehouse-server-order-v2", new Uint8Array(16));

const serverWord: readonly Wrong[] = [
  ["host.not_enrolled", ({ host, atLast }) => atLast.push(() => rmSync(host.paths.server))],
  ["statement.malformed", ({ task }) => task.push((each) => ({ ...each, approvals: each.approvals.slice(1) }))],
  [
    "statement.kind",
    ({ task, host }) =>
      task.push((each) => ({ ...each, approvals: joinSigned(otherFrame, signBytes(host.serverKey, otherFrame)) })),
  ],
  [
    "order.signature",
    ({ task, order, host }) =>
      task.push((each) => ({ ...each, approvals: makeOrder(each, host.nodeId, thief, order) })),
  ],
  ["order.node", ({ order }) => void Object.assign(order, { nodeId: `node_${"1".repeat(26)}` })],
  ["order.node", ({ order }) => void Object.assign(order, { sectionIndex: 1 })],
  ["statement.plan", ({ order }) => void Object.assign(order, { planDigest: "0".repeat(64) })],
  ["statement.limits", ({ order }) => void Object.assign(order, { rollbackWindow: 3_601 })],
  ["time.early", ({ order }) => void Object.assign(order, { notBefore: madeAt + day })],
  ["time.expired", ({ order }) => void Object.assign(order, { notAfter: madeAt })],
  ["time.too_long", ({ order }) => void Object.assign(order, { notBefore: madeAt - 40 * day })],
  [
    "use.spent",
    ({ used }) => {
      const entry = { approvalId: "cd".repeat(16), planDigest: "0".repeat(64), notAfter: madeAt };
      Object.assign(used, { entries: [entry] });
    },
  ],
  ["use.horizon", ({ used }) => void Object.assign(used, { horizon: madeAt + day })],
];

async function codeOf(accepts: TaskDraft["accepts"], wrongs: readonly Wrong[]): Promise<string> {
  const draft = await draftTask(accepts);
  for (const [, make] of wrongs) make(draft);
  const task = finishTask(draft);
  try {
    const [first] = draft.taken;
    const findTaken = () => (first === undefined ? Promise.resolve(undefined) : Promise.reject(first));
    await openTaskJudge({ ...draft.host.judgeDeps, findTaken }).judge(task);
    return "taken";
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
}

describe.each([
  ["signed", [...beforeWord, ...signedWord, ...afterWord]],
  ["server", [...beforeWord, ...serverWord, ...afterWord]],
] as const)("on a host that takes a %s word", (accepts, wrongs) => {
  test("a change that is right in everything is taken", async () => {
    expect(await codeOf(accepts, [])).toBe("taken");
  });

  test.each(wrongs.map(([code, make], step) => [step, code, make] as const))("%i: %s", async (_, code, make) => {
    expect(await codeOf(accepts, [[code, make]])).toBe(code);
  });

  test.each(wrongs.slice(1).map((later, index) => [wrongs[index] as Wrong, later] as const))(
    "of two things that are wrong the one of the earlier step is told: $0.0 before $1.0",
    async (earlier, later) => {
      // What is done last stays, where two cannot both be so.
      expect(await codeOf(accepts, [later, earlier])).toBe(earlier[0]);
    },
  );
});
