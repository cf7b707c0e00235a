import type { HostWork } from "../host-work.ts";

const stateProperties = "LoadState,FragmentPath,UnitFileState";
const shownProperties =
  "LoadState,ActiveState,Type,Result,NeedDaemonReload,RefuseManualStart,RefuseManualStop,InvocationID";

/** What systemctl is asked with: the part behind the program's own name. The agent starts it with these very words. */
export const systemctlWords = {
  reload: ["daemon-reload"],
  state: (unit: string): readonly string[] => ["show", unit, `--property=${stateProperties}`],
  show: (unit: string): readonly string[] => ["show", unit, `--property=${shownProperties}`],
  resetFailed: (unit: string): readonly string[] => ["reset-failed", unit],
  restart: (unit: string): readonly string[] => ["restart", unit],
  stop: (unit: string): readonly string[] => ["stop", unit],
  /** Ordered, and not waited for. */
  order: (verb: "restart" | "try-restart" | "stop", unit: string): readonly string[] => [verb, "--no-block", unit],
} as const;

/** What journalctl is asked with for the last that a service said. */
export function journalWords(unit: string): readonly string[] {
  return ["--unit", unit, "--lines", "10", "--output", "cat", "--no-pager", "--quiet"];
}

/** A host has no room to tell more, however short they are. What it reads in vain could be too much to read at all. */
const mostLines = 1_200;

/** What journalctl is asked with for lines that leave the host: each with its time. */
export function logWords(unit: string, lines: number): readonly string[] {
  return [
    "--unit",
    unit,
    "--lines",
    String(Math.min(lines, mostLines)),
    "--output",
    "short-iso",
    "--no-pager",
    "--quiet",
  ];
}

/** Whether a file lies where systemd has its own: when one was written or put back, systemd has to be told. */
export function isReadBySystemd(path: string): boolean {
  return path.includes("/systemd/");
}

export function restartWork(unit: string): HostWork {
  const systemctl = (words: readonly string[]) => ["systemctl", ...words];
  const restored = [
    systemctlWords.reload,
    systemctlWords.resetFailed(unit),
    systemctlWords.restart(unit),
    systemctlWords.stop(unit),
    systemctlWords.order("restart", unit),
    systemctlWords.order("try-restart", unit),
    systemctlWords.order("stop", unit),
  ];
  return {
    files: [],
    programs: [
      { step: "state", argv: systemctl(systemctlWords.state(unit)) },
      { step: "validate", argv: systemctl(systemctlWords.show(unit)) },
      { step: "snapshot", argv: systemctl(systemctlWords.show(unit)) },
      { step: "apply", argv: systemctl(systemctlWords.reload) },
      { step: "apply", argv: systemctl(systemctlWords.restart(unit)) },
      { step: "check", argv: systemctl(systemctlWords.show(unit)) },
      { step: "check", argv: ["journalctl", ...journalWords(unit)] },
      ...restored.map((words) => ({ step: "restore" as const, argv: systemctl(words) })),
    ],
  };
}

/** Of a file that is written: where systemd reads it, it is told. */
export function fileWork({ path, text }: { readonly path: string; readonly text: string }): HostWork {
  const told = isReadBySystemd(path) ? (["apply", "restore"] as const) : [];
  return {
    files: [{ path, text }],
    programs: told.map((step) => ({ step, argv: ["systemctl", ...systemctlWords.reload] })),
  };
}
