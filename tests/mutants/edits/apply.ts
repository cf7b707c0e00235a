import { editsIn } from "../edit.ts";

const stepByStep = "is accepted, made step by step";

const judgesApprovals = `const again = judgeState(before.value, now);
    // Approvals may have ended since they were counted, or whoever gave them was disabled. A plan that goes on ends as refused for hosts
    // that have none left.
    if (!again) {
      const counted = await readCounted(read, before.value);
      judgeAwaiting(countAwaiting(hosts, await readStanding(deps.blobs, counted, now), now));
    }`;

/** Contract 1: the fourth gate, and the one way to change a node. */
export const applyEdits = [
  ...editsIn("apps/server/src/features/plans/start-plan.ts", [
    { id: "1-8", old: judgesApprovals, new: "const again = false;", by: "refused before it is approved" },
    { id: "1-14b", old: judgesApprovals, new: "const again = false;", by: "refused before it is approved" },
  ]),
  ...editsIn("apps/server/src/features/plans/make-plan.ts", [
    {
      id: "1-14c",
      old: 'severity === "refuse")) return "draft";',
      new: 'severity === "refuse")) return "in_review";',
      by: "lets nobody offer it",
    },
  ]),
  ...editsIn("apps/server/src/features/plans/take-outcome.ts", [
    { id: "1-14d", old: 'action: "task.ended",', new: 'action: "task.outcome_ignored",', by: "a word that it signed" },
  ]),
  ...editsIn("apps/agent/src/tasks/judge-ceiling.ts", [
    {
      id: "1-14e",
      old: "for (const one of asked) checkTarget(one);",
      new: "",
      by: "on a host that takes a %s word",
    },
  ]),
  ...editsIn("apps/agent/src/safety/make-change.ts", [
    {
      id: "1-8b",
      old: "() => makeOperation(each)",
      new: "() => Promise.resolve({})",
      by: stepByStep,
    },
    {
      id: "1-14",
      old: 'await named("snapshot.unprovable", () => work.proveSnapshot(deps, task));',
      new: "",
      by: stepByStep,
      inGate: true,
    },
    {
      id: "1-14f",
      old: 'await getHostChange(deps, each.kind, "apply.absent").validate(ground, each);',
      new: "void each;",
      by: stepByStep,
    },
    { id: "1-14g", old: 'await named("deadman.check", () => deadman.check(task));', new: "", by: stepByStep },
    { id: "1-14h", old: "for (const each of lasting.values()) {", new: "for (const each of []) {", by: stepByStep },
  ]),
];
