import { editsIn } from "../edit.ts";

const runtime = "apps/server/src/features/plugin-runtime";
const sandbox = "packages/sandbox/src";
const limits = "packages/contract/src/broker/plugin-actions.ts";

const endsProcesses = `        () => {
          for (const process of running) process.kill("the plugin was disabled");
        },
`;
const detachesFirst = `        () => broker.detach(),\n${endsProcesses}        () => staged.remove(),\n`;
const detachesLast = `${endsProcesses}        async () => {\n          await staged.remove();\n          broker.detach();\n        },\n`;
const stages = "const staged = await deps.launcher.stage(";
/** The kernel is asked for it, and there is nothing to remove. */
const touchesHost = `await (await import("node:fs/promises")).unlink("/etc/gatehouse/none").catch(() => undefined);
      ${stages}`;

/** Contract 1, 3.1 and 8: what an active plugin runs as, and what it may do. */
export const runtimeEdits = [
  ...editsIn(`${sandbox}/launcher/staged-copy.ts`, [
    { id: "3.1-10", old: "if (found !== expected)", new: 'if (found === "")', by: "is never staged" },
    { id: "3.1-11", old: "O_EXCL | O_NOFOLLOW, 0o700", new: "O_EXCL | O_NOFOLLOW, 0o755", by: "mode 0700" },
    {
      id: "8-5",
      old: "await mkdir(directory, { mode: 0o700 });",
      new: "await mkdir(directory, { mode: 0o755 });",
      by: "mode 0700",
    },
  ]),
  ...editsIn(`${sandbox}/launcher/run-action.ts`, [
    {
      id: "3.1-19",
      old: "it did not end within ${order.deadlineMs} ms`), order.deadlineMs)",
      new: "it did not end within ${order.deadlineMs} ms`), order.deadlineMs / 5)",
      by: "with a deadline",
    },
    {
      id: "8-8",
      old: "if (stderr.length + part.length > order.stderrBytes)",
      new: "if (order.stderrBytes < 0)",
      by: "caps output",
    },
  ]),
  ...editsIn(`${sandbox}/launcher/executable-head.ts`, [
    {
      id: "3.1-20",
      old: "if (!head.subarray(0, elf.length).equals(elf))",
      new: "if (head.length === 0)",
      by: "without a shell",
    },
  ]),
  ...editsIn(`${sandbox}/action-environment.ts`, [
    {
      id: "3.1-13",
      old: 'HOME: "/nonexistent", ...given',
      new: 'HOME: "/nonexistent", USER: process.env["HOME"] ?? "", ...given',
      by: "clears the environment",
    },
  ]),
  ...editsIn(`${runtime}/system-runner.ts`, [
    { id: "3-7", old: detachesFirst, new: detachesLast, by: "before anything else", inGate: true },
    { id: "1-13", old: stages, new: touchesHost, by: "every host-risk capability" },
    { id: "3.3-5", old: stages, new: touchesHost, by: "every host-risk capability" },
    {
      id: "3.1-12",
      old: "const process = staged.start(action, {",
      new: 'if (running.size > 0) throw fault("plugin.busy", "it runs");\n      const process = staged.start(action, {',
      by: "fresh subprocess",
    },
    {
      id: "8-6",
      old: "actionLimits.deadlineMs[action] * deps.deadlineFactor",
      new: "actionLimits.deadlineMs[action] / 5",
      by: "with a deadline",
    },
  ]),
  ...editsIn(`${runtime}/open-runtime.ts`, [
    {
      id: "6-4",
      old: 'if (occasion === "start") await book.note(entry);',
      new: 'if (occasion === "start") return;',
      by: "armed again at a start",
    },
  ]),
  ...editsIn(`${runtime}/ask-plugin.ts`, [
    {
      id: "6-4b",
      old: "await deps.book.note(breakerEntry(",
      new: "await Promise.resolve(breakerEntry(",
      by: "breaker of a plugin",
    },
  ]),
  ...editsIn(`${runtime}/action-session.ts`, [
    {
      id: "3.1-14",
      old: "if (this.#calls > actionLimits.brokerCalls)",
      new: "if (this.#calls > 10 * actionLimits.brokerCalls)",
      by: "caps output",
    },
  ]),
  ...editsIn(limits, [{ id: "8-9", old: "brokerCalls: 64,", new: "brokerCalls: 640,", by: "caps output" }]),
  ...editsIn(`${runtime}/breaker.ts`, [
    { id: "3.1-15", old: "failures: 5,", new: "failures: 50,", by: "after repeated failures" },
    { id: "8-10", old: "if (retryMs > 0) return { retryMs };", new: "", by: "after repeated failures" },
  ]),
  ...editsIn("apps/server/src/features/plugin-broker/judge-call.ts", [
    {
      id: "3.1-16",
      old: "if (!capabilities.includes(spec.capability)) {",
      new: "if (capabilities.length > 99) {",
      by: "capability-scoped broker",
    },
  ]),
];
