import { readFileSync, writeFileSync } from "node:fs";

const file = "/proc/self/oom_score_adj";
/** The highest there is: a process with it is chosen before any other, whatever their sizes. */
const first = "1000";

/**
 * When the host or the container has no memory left, the kernel ends the process that looks largest. What a plugin makes the
 * kernel hold is in no process's size, and the largest would be the server. What `start` starts is chosen before it, with all that comes
 * of it; the launcher itself is not. Raising the mark takes no rights, nor does lowering it to where it was. No plugin
 * can: it cannot open the file.
 */
export function diesFirst<Result>(start: () => Result): Result {
  const before = readMark();
  try {
    writeMark(first);
    return start();
  } finally {
    writeMark(before);
  }
}

/** Undefined, and nothing happens, where there is no such file: the plugin starts as before, and the watch is what holds it. */
function readMark(): string | undefined {
  try {
    return readFileSync(file, "latin1").trim();
  } catch {
    return undefined;
  }
}

/** Never in the way of a start: whoever has been started is answered for, marked or not. */
function writeMark(mark: string | undefined): void {
  if (mark === undefined) return;
  try {
    writeFileSync(file, mark);
  } catch {
    // Refused by a container that shows it for reading only.
  }
}
