import type { ChangeDeps, Deadman } from "./change.ts";

export function openDeadman(_deps: Pick<ChangeDeps, "paths" | "run" | "findUptime">): Deadman {
  throw new Error("not built yet");
}
