import { readdirSync, readFileSync } from "node:fs";

/**
 * Whether a process has ever started another: those that live are listed by the kernel, and those that have ended have left the pages
 * that they touched in the account of whoever waited for them.
 */
export function findStarted(pid: number): string[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean),
  );
  const pages = pagesOfChildren(pid);
  return [
    ...children.map((child) => `the process ${child} was started and lives`),
    ...(pages === 0 ? [] : [`a process was started and has ended: it touched ${pages} pages`]),
  ];
}

/** The field behind the name, which may hold anything but ends with the last bracket: cminflt of proc(5), the eleventh of all. */
function pagesOfChildren(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11 - 3]);
}

/** The most memory that it has had, in KiB. */
export function mostMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}
