import { editsIn } from "../edit.ts";

const stepByStep = "is accepted, made step by step";

const judgesApprovals = `const again = judgeState(before.value, now);
    if (again !== isAgain) throw fault("request.stale", \`the plan \${target.id} has changed since it was read\`);
    // Approvals may have ended since they were counted, or whoever gave them was disabled. A plan that goes on ends as refused for hosts
    // that have none left.
    if (!again) {
      const counted = await readCounted(read, before.value);
      judgeAwaiting(countAwaiting(hosts, await readStanding(deps.blobs, counted, now), now));
    }`;

/** Contract 1: the fourth gate, the one way to change a node, and what is changed there. */
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
  ...editsIn("apps/agent/src/operations/replaced-program.ts", [
    {
      id: "1-12",
      old: "await replaceBy(place, given, (next) => pourWanted(artifact, wanted, writerOf(next)));",
      new: "await pourWanted(artifact, wanted);",
      by: "a program is replaced whole",
      inGate: true,
    },
    {
      id: "1-12b",
      old: "if (await isKept(place.before, kept)) await returnBefore(place);",
      new: "",
      by: "the very file that it was",
    },
  ]),
  ...editsIn("apps/agent/src/safety/hand-over.ts", [
    {
      id: "1-12g",
      old: "if (successor === undefined || (await successor.isThis(ground, each))) continue;",
      new: "if (successor === undefined || each !== undefined) continue;",
      by: "checking, as another program than the change has put in place",
    },
  ]),
  ...editsIn("apps/agent/src/operations/keep-rescue.ts", [
    {
      id: "1-12h",
      old: "if (!(await isAt(ground, binary, operation)) || (await isAt(ground, rescue, operation))) return;",
      new: "if (await isAt(ground, rescue, operation)) return;",
      by: "is not the one that was confirmed never takes changes back",
    },
  ]),
  ...editsIn("apps/agent/src/tasks/judge-artifacts.ts", [
    {
      id: "1-12c",
      old: "if (isSignedBy(loadPublicKey(signer.key, whose), artifactMessage(named), bytes) && isSpelledOnce) return;",
      new: "if (isSpelledOnce) return;",
      by: "a key of another publisher",
    },
  ]),
  ...editsIn("apps/agent/src/operations/change-firewall.ts", [
    {
      id: "1-12d",
      old: "isTried ? nftWords.tryToLoad(path) : nftWords.load(path)",
      new: "nftWords.tryToLoad(path)",
      by: "it is tried and then made",
    },
  ]),
  ...editsIn("apps/agent/src/operations/change-service.ts", [
    {
      id: "1-12e",
      old: 'await ground.run("systemctl", systemctlWords.restart(unit), startMs);',
      new: 'await ground.run("systemctl", systemctlWords.resetFailed(unit), startMs);',
      by: "it is restarted, and watched",
    },
  ]),
  ...editsIn("apps/agent/src/operations/tail-log.ts", [
    {
      id: "1-12f",
      old: "logWords(unit, lines))",
      new: "logWords(unit, 1))",
      by: "the journal is asked with the words",
    },
  ]),
  ...editsIn("apps/agent/src/operations/set-up-interface.ts", [
    { id: "1-12i", old: "const mostStarts = 3;", new: "const mostStarts = 1;", by: "an interface is made, changed" },
  ]),
  ...editsIn("apps/server/src/features/plans/wave-book.ts", [
    {
      id: "1-14i",
      old: "this.noteSent(this.#open + 1);",
      new: "this.noteSent(this.#open + 2);",
      by: "a wave opens behind the one before",
    },
    {
      id: "1-14j",
      old: "found <= 0) return false;",
      new: "found <= 1) return false;",
      by: "the first host that has not kept",
    },
  ]),
  ...editsIn("apps/server/src/features/plans/halt-plan.ts", [
    { id: "1-14k", old: "changes: [put(found, after)],", new: "changes: [],", by: "begins nothing more, says why" },
  ]),
  ...editsIn("apps/server/src/features/plans/undo-operations.ts", [
    {
      id: "1-14l",
      old: "return stateDigest(hashBytes, subject, found) === expected ? found : undefined;",
      new: "return found;",
      by: "only when the plan's own precondition has its hash",
      inGate: true,
    },
    {
      id: "1-14m",
      old: "of [...section.operations.entries()].toReversed()) {",
      new: "of section.operations.entries()) {",
      by: "parts come back in reverse order",
    },
  ]),
];
