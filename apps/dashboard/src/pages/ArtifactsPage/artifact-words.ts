import type { Artifact } from "../../api/artifacts.ts";
import { sizeWords } from "../../ui/size-words.ts";
import type { State } from "../../ui/StateMark.tsx";

type Arrived = Pick<Artifact, "state" | "size" | "partSize" | "parts">;

export function partCount({ size, partSize }: Pick<Artifact, "size" | "partSize">): number {
  return Math.ceil(size / partSize);
}

/** Whole, or how many of its parts are there. */
export function sayArrival(artifact: Arrived): { readonly state: State; readonly word: string } {
  if (artifact.state === "whole") return { state: "ok", word: "Whole" };
  const count = partCount(artifact);
  return { state: "run", word: `${artifact.parts.length} of ${count} ${count === 1 ? "part" : "parts"}` };
}

/** What it needs before a plan can name it; nothing of one that is whole. */
export function sayMissing(artifact: Arrived): string | undefined {
  if (artifact.state === "whole") return undefined;
  const count = partCount(artifact);
  const missing = Array.from({ length: count }, (_none, at) => at).filter((at) => !artifact.parts.includes(at));
  const waits =
    missing.length === 0
      ? "All parts are there; the server joins them and compares the digest."
      : `Still to come: ${missing.length === 1 ? "part" : "parts"} ${rangesOf(missing)} of ${count}.`;
  return `${waits} No plan can name it before. One that is not whole a day after it was announced is removed.`;
}

/** "1, 3 to 5": parts are counted from 1 for whoever reads. */
function rangesOf(missing: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const at of missing) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === at) last[1] = at + 1;
    else ranges.push([at + 1, at + 1]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(", ");
}

/** "3 artifacts, 214.3 MiB; one is arriving." As they were announced: an artifact that was let in has its room. */
export function sayAll(artifacts: readonly Pick<Artifact, "state" | "size">[]): string {
  const size = artifacts.reduce((sum, one) => sum + one.size, 0);
  const arriving = artifacts.filter(({ state }) => state === "arriving").length;
  const count = artifacts.length === 1 ? "One artifact" : `${artifacts.length.toLocaleString("en-GB")} artifacts`;
  const coming = arriving === 0 ? "" : `; ${arriving === 1 ? "one is" : `${arriving} are`} arriving`;
  return `${count}, ${sizeWords(size)}${coming}.`;
}

/** What it is for, and whose key hosts want over it. */
export const kindWords: Readonly<Record<Artifact["kind"], { readonly word: string; readonly says: string }>> = {
  binary: {
    word: "Program",
    says: "A host takes it only when its root has named the publisher with this key.",
  },
  release: {
    word: "Release of the agent",
    says: "A host takes it only when it is signed by the key that its agent was built with.",
  },
};
