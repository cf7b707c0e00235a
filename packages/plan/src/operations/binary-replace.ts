import * as z from "zod";
import { binaryFacts } from "../artifact-facts.ts";
import { absolutePath } from "../fields.ts";
import { countOf } from "../say.ts";
import { fileState, type FileState } from "../states.ts";
import { defineOperation } from "./descriptor.ts";
import type { PlanDiffLine } from "../diff-lines.ts";

const schema = z.strictObject({ kind: z.literal("binary.replace"), path: absolutePath, ...binaryFacts });
type BinaryReplace = z.output<typeof schema>;

/** Where there was no program before. One that was there keeps its own. */
export const newBinaryRights = { mode: "0755", owner: "root", group: "root" } as const;

/** The bytes travel beside the plan, by their digest. The host also wants its publisher's signature over what is said of them. */
export const binaryReplace = defineOperation({
  kind: "binary.replace",
  capability: "host:binary",
  planSchema: 2,
  says: "Replaces a program with one of the digest named, signed by its publisher.",
  schema,
  subject: ({ path }) => `binary:${path}`,
  state: fileState,
  words: replaceWords,
  lint: () => [],
  diff: diffBinary,
  // What is written are the bytes of the artifact, which no reviewer could read; and nothing is started.
  work: () => ({ files: [], programs: [] }),
});

function replaceWords(operation: BinaryReplace): string[] {
  const { path, name, version, architecture, size, sha256, publisher, signature } = operation;
  const { mode, owner, group } = newBinaryRights;
  return [
    `Replaces the program ${path} by ${name} ${version} for ${architecture}.`,
    `Its ${countOf(size, "byte")} have the sha256 ${sha256}.`,
    `It says that ${publisher} has signed it with the key ${signature.keyId}: each host checks that, and nothing before it does.`,
    `A program that is there keeps its mode and owner; a new one has mode ${mode}, ${owner}:${group}. Nothing is restarted by it.`,
  ];
}

function diffBinary(
  { name, version, architecture, sha256 }: BinaryReplace,
  before: FileState | null | undefined,
): PlanDiffLine[] {
  const said = `${name} ${version} for ${architecture}, sha256 ${sha256}`;
  if (before === null || before === undefined) return [{ mark: "added", text: said }];
  if (!("sha256" in before))
    return [
      { mark: "removed", text: "a program that others may not read" },
      { mark: "added", text: said },
    ];
  if (before.sha256 === sha256) return [{ mark: "same", text: said }];
  return [
    { mark: "removed", text: `sha256 ${before.sha256}` },
    { mark: "added", text: said },
  ];
}
