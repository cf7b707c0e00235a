import { serialiseManifest } from "../verify/index.ts";
import { fieldsOf, signed, signFields, type Vector, withText } from "./vector.ts";

const good = signed();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** Bytes that are not strict JSON. */
const malformed = (name: string, says: string, manifest: Uint8Array): Vector => ({
  name: `malformed-${name}`,
  says,
  code: "bundle.manifest_malformed",
  manifest,
});

/** JSON that means a good manifest, in bytes that are not the one form. */
const otherForm = (name: string, says: string, manifest: Uint8Array): Vector => ({
  name: `not-canonical-${name}`,
  says,
  code: "bundle.manifest_not_canonical",
  manifest,
});

/** Bundles that are refused for the bytes of their manifest, whatever it says. */
export const formVectors: readonly Vector[] = [
  malformed("empty", "An empty file.", new Uint8Array()),
  malformed("duplicate-key", "A key is written twice.", withText(good, '"name"', '"id": "acme-lines",\n  "name"')),
  malformed(
    "escaped-duplicate-key",
    "A key is written twice, once with an escape.",
    withText(good, '"name"', '"i\\u0064": "acme-lines",\n  "name"'),
  ),
  malformed("trailing-data", "A second value follows.", Buffer.from(`${text(good)}{}\n`)),
  malformed("byte-order-mark", "A byte order mark stands before the value.", Buffer.from(`\ufeff${text(good)}`)),
  malformed("not-utf-8", "A byte that is not UTF-8.", Buffer.from(text(good).replace("Lines", "Line\u00df"), "latin1")),
  malformed("lone-surrogate", "Half of a surrogate pair.", withText(good, '"Lines"', '"\\ud800"')),
  malformed("too-deep", "Nested deeper than 32.", Buffer.from(`${"[".repeat(33)}${"]".repeat(33)}\n`)),
  malformed("large-number", "An integer beyond 2^53-1.", withText(good, '"schema": 1', '"schema": 9007199254740993')),
  malformed("prototype-key", "A key named __proto__.", withText(good, '"name"', '"__proto__": {},\n  "name"')),
  malformed(
    "trailing-comma",
    "A comma before the closing brace.",
    Buffer.from(text(good).replace(/\n\}\n$/, ",\n}\n")),
  ),
  otherForm("no-final-newline", "The last line has no LF.", good.subarray(0, -1)),
  otherForm("two-final-newlines", "A second LF follows.", Buffer.from(`${text(good)}\n`)),
  otherForm("crlf", "Lines end in CR LF.", Buffer.from(text(good).replaceAll("\n", "\r\n"))),
  otherForm("tabs", "Indented by tabs.", Buffer.from(text(good).replaceAll("  ", "\t"))),
  otherForm("one-line", "Written on one line.", Buffer.from(`${JSON.stringify(JSON.parse(text(good)))}\n`)),
  otherForm(
    "key-order",
    "Two keys have changed places.",
    Buffer.from(`${JSON.stringify(signFields(fieldsOf()), null, 2)}\n`),
  ),
  otherForm("escape", "A letter is written as an escape.", withText(good, "Lines", "\\u004cines")),
  otherForm("escaped-slash", "A slash is written as an escape.", withText(signed({ name: "A/B" }), "A/B", "A\\/B")),
  otherForm("fraction", "An integer is written as 1.0.", withText(good, '"schema": 1', '"schema": 1.0')),
  otherForm(
    "not-an-integer",
    "A number that is no integer has no byte form.",
    withText(good, '"schema": 1', '"schema": 1.5'),
  ),
  otherForm("minus-zero", "Zero is written with a sign.", withText(good, '"schema": 1', '"schema": -0')),
  {
    name: "schema-2",
    says: "A schema that does not exist yet.",
    code: "bundle.schema_unknown",
    manifest: signed({ schema: 2 }),
  },
  {
    name: "schema-absent",
    says: "No schema at all.",
    code: "bundle.schema_unknown",
    manifest: signed({ schema: undefined }),
  },
  {
    name: "schema-not-an-object",
    says: "The whole manifest is null.",
    code: "bundle.schema_unknown",
    manifest: serialiseManifest(null),
  },
  {
    name: "capability-unknown",
    says: "A capability that does not exist.",
    code: "bundle.capability_unknown",
    manifest: signed({ capabilities: ["host:everything"] }),
  },
];
