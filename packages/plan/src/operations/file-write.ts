import * as z from "zod";
import { absolutePath, accountName, fileMode } from "../fields.ts";
import { defineOperation } from "./descriptor.ts";

const mostCharacters = 64 * 1024;

/** What a reviewer reads is what is written: nothing hidden, nothing that turns the direction of a line, LF and TAB alone. */
const text = z
  .string()
  .max(mostCharacters)
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
});
