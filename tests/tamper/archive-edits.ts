import { columnEdits, entryEdits, groupEdits, metaEdits } from "./archive-chain-edits.ts";
import { byteEdits, schemaEdits } from "./archive-file-edits.ts";
import { indexEdits, spanEdits, textEdits } from "./archive-search-edits.ts";
import type { FileEdits } from "./edit.ts";

export const archiveEdits: FileEdits = {
  file: "logs.db",
  edits: [
    ...entryEdits,
    ...columnEdits,
    ...indexEdits,
    ...spanEdits,
    ...textEdits,
    ...groupEdits,
    ...metaEdits,
    ...schemaEdits,
    ...byteEdits,
  ],
};
