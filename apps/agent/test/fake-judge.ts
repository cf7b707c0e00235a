import { createHash } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import type { AnnouncedTask, JudgedTask, TaskJudge, TaskPart, WholeTask } from "../src/tasks/task.ts";

/** As on a host whose root takes no change from anybody. */
export const refusingJudge: TaskJudge = {
  admit: () => Promise.reject(fault("ceiling.off", "expected a host that takes changes, found one that takes none")),
  judge: () => Promise.reject(fault("ceiling.off", "expected a host that takes changes, found one that takes none")),
};

/** Finds nothing wrong with any change, and keeps what it was shown. */
export function willingJudge(): TaskJudge & { readonly judged: WholeTask[] } {
  const judged: WholeTask[] = [];
  return {
    judged,
    admit: async () => undefined,
    judge: async (whole) => {
      judged.push(whole);
      const { task, planDigest, index, artifacts } = whole;
      return { task, planDigest, index, artifacts } as unknown as JudgedTask;
    },
  };
}

export function partOf(bytes: Uint8Array): TaskPart {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.byteLength };
}

/** A change with the bytes of its parts; the section may be larger than one piece. */
export function sampleChange(sectionBytes = 100) {
  const bytes = {
    header: new TextEncoder().encode("header"),
    digests: new Uint8Array(64).fill(7),
    section: Uint8Array.from({ length: sectionBytes }, (_, at) => at % 251),
    approvals: new TextEncoder().encode("approvals"),
  };
  const task: AnnouncedTask = {
    task: `task_${"0".repeat(26)}`,
    planDigest: "b".repeat(64),
    index: 0,
    parts: {
      header: partOf(bytes.header),
      digests: partOf(bytes.digests),
      section: partOf(bytes.section),
      approvals: partOf(bytes.approvals),
      artifacts: [],
    },
  };
  const held = new Map(Object.values(bytes).map((each) => [partOf(each).sha256, each]));
  return { task, bytes, held };
}
