import type { StateGround } from "./host-operation.ts";

/**
 * The digests of parts of the host as they are now, by their subjects; `absent` where there is no such part. The ceiling is not asked:
 * these are parts of a change that was accepted already. Throws `state.unreadable`.
 */
export async function digestStates(
  _ground: Pick<StateGround, "root" | "run" | "privateKey">,
  _subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  throw new Error("not built yet");
}
