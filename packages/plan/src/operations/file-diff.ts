import { encodeText } from "@gatehouse/keys/frame";
import { marked, type PlanDiffLine } from "../diff-lines.ts";
import { linesOf } from "../host-work.ts";
import { hexDigest, type Sha256 } from "../sha256.ts";
import type { FileState } from "../states.ts";

interface WrittenFile {
  readonly text: string;
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
}

/**
 * The new text line by line, below what both files are called by: a host tells the hash of the old text and never the text, so
 * its lines cannot be shown. With the same hash the text stays, and only what is beside it changes.
 */
export function diffFile(file: WrittenFile, before: FileState | null | undefined, sha256: Sha256): PlanDiffLine[] {
  const hash = hexDigest(sha256, encodeText(file.text));
  const lines = linesOf(file.text).map((text) => ({ text }));
  const name = { mark: "added", text: `sha256 ${hash}, ${attributes(file)}` } as const;
  if (before === null || before === undefined) return [name, ...marked("added", lines)];

  const same = "sha256" in before && before.sha256 === hash;
  const old = `${"sha256" in before ? `sha256 ${before.sha256}` : secretText}, ${attributes(before)}`;
  if (!same) return [{ mark: "removed", text: old }, name, ...marked("added", lines)];
  if (old === name.text) return [{ mark: "same", text: old }, ...marked("same", lines)];
  return [
    { mark: "removed", text: attributes(before) },
    { mark: "added", text: attributes(file) },
    { mark: "same", text: `the text is not changed: sha256 ${hash}` },
    ...marked("same", lines),
  ];
}

const secretText = "a text that others may not read";

function attributes({ mode, owner, group }: Pick<WrittenFile, "mode" | "owner" | "group">): string {
  return `mode ${mode}, ${owner}:${group}`;
}
