import { encodeText } from "@gatehouse/keys/frame";
import * as z from "zod";
import { absolutePath, accountName, fileMode } from "../fields.ts";
import { lintFinding } from "../lint-finding.ts";
import { equalsRootAt } from "../root-paths.ts";
import { countOf } from "../say.ts";
import { fileState } from "../states.ts";
import { defineOperation } from "./descriptor.ts";
import { diffFile } from "./file-diff.ts";
import { fileWork } from "./systemd-words.ts";

const mostCharacters = 64 * 1024;

/** What a reviewer reads is what is written: nothing hidden, nothing that turns the direction of a line, LF and TAB alone. */
const text = z
  .string()
  // The pattern is not asked about a longer one: of millions of characters it would run out of stack.
  .max(mostCharacters, { abort: true })
  .regex(
    /^(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|[\n\t])*$/u,
    `must be at most ${mostCharacters} visible characters, tabs and line feeds`,
  );

export const fileWrite = defineOperation({
  kind: "file.write",
  capability: "host:file",
  says: "Writes a text file, in place of what was there.",
  schema: z.strictObject({
    kind: z.literal("file.write"),
    path: absolutePath,
    text,
    mode: fileMode,
    owner: accountName,
    group: accountName,
  }),
  subject: ({ path }) => `file:${path}`,
  state: fileState,
  words: ({ path, text: written, mode, owner, group }) => [
    `Writes ${path}: ${countOf(encodeText(written).byteLength, "byte")}, mode ${mode}, ${owner}:${group}.`,
  ],
  lint: ({ path }) =>
    equalsRootAt(path)
      ? [lintFinding("file.equals_root", `Writing ${path} equals root: whoever decides its text can become root.`)]
      : [],
  diff: diffFile,
  work: fileWork,
});
