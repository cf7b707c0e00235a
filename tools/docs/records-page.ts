import { type RecordKind, recordKinds } from "@gatehouse/contract/records";
import { codeSpan, generatedFrom, markdownTable } from "./markdown.ts";

/** docs/operate/records.md: every kind of record, from the table that the store reads and writes by. */
export function recordsPage(): string {
  const lines = [
    "# Records",
    "",
    generatedFrom("packages/contract/src/records"),
    "",
    "What the data directory holds: every record has one of these kinds and is kept under `kind/id`. A value has the closed form of its",
    "kind. The server writes nothing else, and a start that finds something else is refused by name: `store.kind_unknown` or",
    "`store.format_unknown` for data of a later version, `store.record_unreadable` for a value of another form.",
    "",
    "A form above 1 means that values of earlier versions are brought to it when they are read. Sealed fields are encrypted with a key that is",
    "derived from `master.key`. Changes of a kind are told to live streams whose holder has the scope; all others only to those who may read the",
    "audit log.",
    "",
    ...markdownTable(
      ["Kind", "What it is", "Form", "Sealed fields", "Heard with", "How long it stays"],
      recordKinds.map(row),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function row({ name, says, form, sealed, heardWith, kept }: RecordKind): string[] {
  const scope = heardWith === undefined ? "" : codeSpan(heardWith);
  return [codeSpan(name), says, String(form), sealed.map(codeSpan).join(", "), scope, kept];
}
