/** Operations that can be told to fail. */
export type FaultyOp = "create" | "write" | "truncate" | "sync" | "rename" | "remove" | "syncDirectory";
/** `short` writes the first half and then fails with EIO. */
export type FaultyError = "EIO" | "ENOSPC" | "short";

interface Plan {
  readonly op: FaultyOp;
  left: number;
  readonly error: FaultyError;
  readonly repeat: "once" | "forever";
}

/** Which coming operation fails, and how. */
export function faultyInjection(): {
  failNext: (op: FaultyOp, nth: number, error: FaultyError, repeat?: "once" | "forever") => void;
  clear: () => void;
  /** What this operation must fail with, if at all. */
  hit: (op: FaultyOp) => FaultyError | undefined;
} {
  const plans: Plan[] = [];
  return {
    failNext: (op, nth, error, repeat = "once") => {
      plans.push({ op, left: nth, error, repeat });
    },
    clear: () => {
      plans.length = 0;
    },
    hit: (op) => {
      let hit: FaultyError | undefined;
      for (const plan of plans) {
        if (plan.op !== op) continue;
        plan.left -= 1;
        if (plan.left === 0 || (plan.left < 0 && plan.repeat === "forever")) hit ??= plan.error;
      }
      return hit;
    },
  };
}

/** An error as the operating system's look to a program. */
export function systemError(
  code: "EIO" | "ENOSPC" | "ENOENT" | "EEXIST" | "EBADF" | "ENOTEMPTY",
  what: string,
): Error & { code: string } {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
