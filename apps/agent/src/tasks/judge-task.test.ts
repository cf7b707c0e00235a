import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeContainer } from "@gatehouse/approval";
import { isFault } from "@gatehouse/contract/faults";
import type { Operation, PlanHeader } from "@gatehouse/plan";
import { expect, test } from "vitest";
import {
  announceTask,
  approvalOf,
  madeAt,
  madeHeader,
  makeApprovals,
  makeOrder,
  makePlan,
  makeTask,
  type MadeTask,
  signedBy,
} from "../../../../tests/support/signed-task.ts";
import { draftTask, finishTask, goodWrite, type TaskDraft } from "../../test/task-draft.ts";
import { makeTaskHost, type TaskHost } from "../../test/task-host.ts";
import { openTaskJudge, type TaskJudgeDeps } from "./judge-task.ts";
import type { AnnouncedTask, WholeTask } from "./task.ts";

const refused = (code: string) => expect.objectContaining({ code });

async function goodTask(accepts: TaskDraft["accepts"] = "signed"): Promise<{ host: TaskHost; task: MadeTask }> {
  const draft = await draftTask(accepts);
  return { host: draft.host, task: finishTask(draft) };
}

test("a change that approvers signed is judged with who they are and when it ends", async () => {
  const draft = await draftTask();
  draft.host.write("/etc/app/app.conf", "port = 81\n");
  const subject = "file:/etc/app/app.conf";
  const [told] = await draft.host.judgeDeps.readStates({ subjects: [subject], privateKey: new Uint8Array(32) });
  draft.states[subject] = (told as { state: Record<string, string> }).state;
  draft.keys.push(draft.host.approvers[1]);
  draft.approval = { confirmation: 2, rollbackWindow: 90 };
  const task = finishTask(draft);
  const judged = await openTaskJudge(draft.host.judgeDeps).judge(task);
  expect(judged).toEqual({
    task: task.task,
    planDigest: task.planDigest,
    artifacts: [],
    index: 0,
    section: {
      node: draft.host.nodeId,
      operations: [goodWrite],
      preconditions: [expect.objectContaining({ subject })],
    },
    approvalId: "ab".repeat(16),
    notAfter: madeAt + 3_600_000,
    rollbackWindow: 90,
    confirmation: "approver",
    persons: ["ada", "bob"],
  });
});

test("a change that the server ordered is judged, on a host whose root trusts it, with nobody's name", async () => {
  const { host, task } = await goodTask("server");
  expect(await openTaskJudge(host.judgeDeps).judge(task)).toMatchObject({
    approvalId: "cd".repeat(16),
    notAfter: madeAt + 3_600_000,
    rollbackWindow: 60,
    confirmation: "path",
    persons: [],
  });
});

test("all three kinds of operation are judged together, each by what the host is like", async () => {
  const shown = "LoadState=not-found\nFragmentPath=\nUnitFileState=\n";
  const host = await makeTaskHost({
    programs: {
      "systemctl show app.service": { stdout: shown },
      "nft -j": { code: 1, stderr: "No such file or directory" },
    },
  });
  host.write("/etc/app/.keep", "");
  const input = { policy: "accept" as const, rules: [] };
  const operations: Operation[] = [
    goodWrite,
    { kind: "service.restart", unit: "app.service" },
    { kind: "firewall.apply", table: "gatehouse_edge", input },
  ];
  const plan = makePlan({ nodeId: host.nodeId, operations });
  const task = makeTask(plan, makeApprovals(plan, [host.approvers[1]], [host.trust.digest]));
  expect(await openTaskJudge(host.judgeDeps).judge(task)).toMatchObject({ section: { operations } });
});

test.each(["signed", "server"] as const)("no byte of any part of a %s change can be another one", async (accepts) => {
  const { host, task } = await goodTask(accepts);
  const judge = openTaskJudge(host.judgeDeps);
  await judge.judge(task);
  const taken: string[] = [];
  const attempt = async (changed: WholeTask, where: string) => {
    const code = await judge.judge(changed).then(
      () => "taken",
      (error: unknown) => (isFault(error) ? error.code : `a defect: ${String(error)}`),
    );
    if (code === "taken" || code.startsWith("a defect")) taken.push(`${where}: ${code}`);
  };
  for (const part of ["header", "digests", "section", "approvals"] as const) {
    for (const [at, byte] of task[part].entries()) {
      await attempt({ ...task, [part]: new Uint8Array(task[part]).with(at, byte ^ 1) }, `${part} ${at}`);
    }
    await attempt({ ...task, [part]: task[part].slice(0, -1) }, `${part} cut`);
    await attempt({ ...task, [part]: new Uint8Array([...task[part], 0x20]) }, `${part} longer`);
  }
  for (let at = 0; at < 64; at += 1) {
    const digit = task.planDigest[at] === "0" ? "1" : "0";
    await attempt(
      { ...task, planDigest: `${task.planDigest.slice(0, at)}${digit}${task.planDigest.slice(at + 1)}` },
      `${at}`,
    );
  }
  await attempt({ ...task, index: 1 }, "index");
  expect(taken).toEqual([]);
});

const announcedWrongs: [string, (task: AnnouncedTask) => unknown][] = [
  ["a field is missing", ({ task, index, parts }) => ({ task, index, parts })],
  ["a field is unknown", (task) => ({ ...task, force: true })],
  ["an artifact is named", (task) => ({ ...task, parts: { ...task.parts, artifacts: [task.parts.header] } })],
  [
    "there is no digest",
    (task) => ({ ...task, parts: { ...task.parts, digests: { ...task.parts.digests, size: 0 } } }),
  ],
  [
    "a digest has 31 bytes",
    (task) => ({ ...task, parts: { ...task.parts, digests: { ...task.parts.digests, size: 63 } } }),
  ],
  [
    "the approvals are too large",
    (task) => ({ ...task, parts: { ...task.parts, approvals: { ...task.parts.approvals, size: 131_073 } } }),
  ],
];

test.each(announcedWrongs)("nothing is fetched when %s", async (_, change) => {
  const { host, task } = await goodTask();
  const { fields } = announceTask(task);
  const wrong = change(fields) as AnnouncedTask;
  await expect(openTaskJudge(host.judgeDeps).admit(wrong)).rejects.toEqual(refused("task.malformed"));
});

test("a change is admitted before its parts have come, and not by a host that takes none or whose clock is wrong", async () => {
  const { host, task } = await goodTask();
  const { fields } = announceTask(task);
  const judge = openTaskJudge(host.judgeDeps);
  await judge.admit(fields);
  host.time.wall -= 6 * 60_000;
  await expect(judge.admit(fields)).rejects.toEqual(refused("time.clock_behind"));
  host.setCeiling({ schema: 1, level: "managed", allow: ["file.write:/etc/app"] });
  await expect(judge.admit(fields)).rejects.toEqual(refused("ceiling.off"));
  rmSync(host.paths.ceiling);
  await expect(judge.admit(fields)).rejects.toEqual(refused("ceiling.off"));
  writeFileSync(host.paths.ceiling, "{}", { mode: 0o600 });
  await expect(judge.admit(fields)).rejects.toEqual(refused("ceiling.malformed"));
});

test("parts that are no bytes, and seventeen statements, have not the form of a change", async () => {
  const { host, task } = await goodTask();
  const judge = openTaskJudge(host.judgeDeps);
  const none = { ...task, header: undefined } as unknown as WholeTask;
  await expect(judge.judge(none)).rejects.toEqual(refused("task.malformed"));
  const one = signedBy(host.approvers[0], approvalOf({ ...task, count: 2 }, [host.trust.digest]));
  const sixteen = writeContainer(Array.from({ length: 16 }, () => one));
  await expect(judge.judge({ ...task, approvals: sixteen })).resolves.toMatchObject({ persons: ["ada"] });
  const text = Buffer.from(sixteen).toString();
  const seventeen = Buffer.from(`${text.slice(0, -2)},${text.slice(1)}`);
  await expect(judge.judge({ ...task, approvals: seventeen })).rejects.toEqual(refused("task.malformed"));
});

test("a host takes the one word that its root has named, and not the other", async () => {
  const signed = await goodTask("signed");
  const order = makeOrder(signed.task, signed.host.nodeId, signed.host.serverKey);
  const toSigned = openTaskJudge(signed.host.judgeDeps).judge({ ...signed.task, approvals: order });
  await expect(toSigned).rejects.toEqual(refused("statement.kind"));
  const server = await goodTask("server");
  const container = makeApprovals({ ...server.task, count: 2 }, server.host.approvers, [server.host.trust.digest]);
  const toServer = openTaskJudge(server.host.judgeDeps).judge({ ...server.task, approvals: container });
  await expect(toServer).rejects.toEqual(refused("statement.kind"));
});

test("a section stands once in its plan, and a plan has no more than it may have", async () => {
  const { host } = await goodTask();
  const judge = openTaskJudge(host.judgeDeps);
  const parts = { nodeId: host.nodeId, operations: [goodWrite] };
  const own = makePlan({ ...parts, behind: [] }).digests.toHex();
  const twice = makePlan({ ...parts, behind: [own] });
  const approved = makeApprovals(twice, host.approvers, [host.trust.digest]);
  await expect(judge.judge(makeTask(twice, approved))).rejects.toEqual(refused("plan.index"));
  const many = makePlan({ ...parts, behind: Array.from({ length: 10_000 }, () => "0d".repeat(32)) });
  await expect(judge.judge(makeTask(many, approved))).rejects.toEqual(refused("plan.too_large"));
  const large = { ...makeTask(twice, approved), section: new Uint8Array(16 * 1024 * 1024 + 1) };
  await expect(judge.judge(large)).rejects.toEqual(refused("plan.too_large"));
});

test.each([
  ["a plan.kind_unknown", { operations: [{ kind: "disk.erase" }] }],
  ["a plan.kind_unknown", { operations: [{ kind: "toString" }] }],
  ["a plan.schema", { operations: "none" }],
  ["a plan.schema", { operations: [null, 7, { kind: 7 }] }],
  ["a plan.schema", null],
] as const)("%s is told for a section that holds %j", async (what, section) => {
  const { host } = await goodTask();
  const plan = makePlan({ nodeId: host.nodeId, operations: [], section: section ?? [] });
  const task = makeTask(plan, makeApprovals(plan, host.approvers, [host.trust.digest]));
  await expect(openTaskJudge(host.judgeDeps).judge(task)).rejects.toEqual(refused(what.slice(2)));
});

test("a plan whose hosts are to change together is refused by its name, approved or not", async () => {
  const { host } = await goodTask();
  const judge = (header: PlanHeader) => {
    const plan = makePlan({ nodeId: host.nodeId, operations: [goodWrite], header });
    const task = makeTask(plan, makeApprovals(plan, host.approvers, [host.trust.digest]));
    return openTaskJudge(host.judgeDeps).judge(task);
  };
  const header = { ...madeHeader, schema: 2 } as const;
  const together = [host.nodeId, `node_${"z".repeat(26)}`].toSorted();
  await expect(judge({ ...header, together })).rejects.toEqual(refused("plan.together"));
  await expect(judge(header)).resolves.toMatchObject({ artifacts: [] });
});

test("whatever fails in between is a refusal: a reading that breaks, or that leaves something out", async () => {
  const { host, task } = await goodTask();
  const judgeWith = (deps: Partial<TaskJudgeDeps>) => openTaskJudge({ ...host.judgeDeps, ...deps }).judge(task);
  await expect(judgeWith({ readStates: () => Promise.reject(new Error("broken")) })).rejects.toThrow("broken");
  await expect(judgeWith({ readStates: async () => [] })).rejects.toEqual(refused("state.unreadable"));
});

test("a clock that is set back does not make an approval last longer", async () => {
  const { host, task } = await goodTask();
  const judge = openTaskJudge(host.judgeDeps);
  await judge.judge(task);
  const pass = (ms: number) => {
    host.time.wall += ms;
    host.time.uptimeMs += ms;
  };
  pass(58 * 60_000);
  await judge.judge(task);
  host.time.wall -= 4 * 60_000;
  pass(2 * 60_000);
  await expect(judge.judge(task)).rejects.toEqual(refused("time.expired"));
  // What the machine has run counts although the clock does not say so.
  const { wall } = JSON.parse(readFileSync(host.paths.clockFloor, "utf8")) as { wall: number };
  expect(wall).toBe(madeAt + 61 * 60_000);
});

test("an approval that was used stays so when the clock goes back behind it", async () => {
  const draft = await draftTask();
  const entry = { approvalId: "ab".repeat(16), planDigest: "0".repeat(64), notAfter: madeAt + 3_600_000 };
  draft.used = { entries: [entry], horizon: 0 };
  const task = finishTask(draft);
  draft.host.time.wall -= 30_000;
  await expect(openTaskJudge(draft.host.judgeDeps).judge(task)).rejects.toEqual(refused("use.spent"));
});

test("one that was taken before is admitted whatever the clock says: its answer is known", async () => {
  const draft = await draftTask();
  const task = finishTask(draft);
  const { host } = draft;
  const asked: string[] = [];
  const findTaken: TaskJudgeDeps["findTaken"] = async (id) => {
    asked.push(id);
    return { ended: undefined };
  };
  const judge = openTaskJudge({ ...host.judgeDeps, findTaken });
  host.time.wall = host.judgeDeps.madeAt - 1;
  const part = { sha256: "a".repeat(64), size: 32 };
  const { task: id, planDigest, index } = task;
  const parts = { header: part, digests: part, section: part, approvals: part, artifacts: [] };
  await judge.admit({ task: id, planDigest, index, parts });
  expect(asked).toEqual([task.task]);
  const fresh = openTaskJudge(host.judgeDeps);
  await expect(fresh.admit({ task: id, planDigest, index, parts })).rejects.toEqual(refused("time.clock_unset"));
});
