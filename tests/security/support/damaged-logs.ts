import {
  decodeGroup,
  encodeGroup,
  encodeHeader,
  encodeMark,
  genesis,
  splitEntries,
} from "../../../packages/store/src/log-format.ts";
import type { LogSeal } from "../../../packages/store/src/log-seal.ts";
import type { Chance } from "./chance.ts";
import { joined } from "./joined.ts";

/** Numbers that are odd to somebody: too large, not whole, not numbers at all. */
const oddNumbers = joined(
  [
    "0",
    "-1",
    "1.5",
    "1e3",
    "1e999",
    "-0",
    "00",
    "01",
    "0x10",
    "NaN",
    "Infinity",
    "null",
    "true",
    '"1"',
    "",
    " 1",
    "9007199254740993",
  ],
  ["18446744073709551616", "2147483648", "4294967296", "99999999999999999999999999", "[]", "{}", "1_000", "١"],
);
/** Of a change: today's, and that of format 1. */
const versionNames = ["was", "newVersion"];
export const oldHeader = Buffer.from(`{"format":1,"base":0,"baseLink":"${genesis.link}"}\n`);
const oddValues = joined(
  [
    "null",
    "[]",
    "{}",
    "0",
    "-1",
    '""',
    '"x"',
    "true",
    "[[]]",
    "[null]",
    "[{}]",
    "[[[]]]",
    "[0]",
    '[{"key":null}]',
    "{",
  ],
  ['[{"key":"a/b"}]', ...inBothForms('"key":1', "{}"), ...inBothForms('"key":["a/b"]', "{}")],
  ['[{"key":"a/b","was":0}]', '[{"key":"a/b","was":"0","value":{}}]'],
  ['[{"key":"a/b","newVersion":1}]', '[{"key":"a/b","newVersion":"1","value":{}}]'],
  ['"__proto__/x"', '""', '"nokind"'].flatMap((key) => inBothForms(`"key":${key}`, "{}")),
  ["5", "[]", '{"__proto__":{"x":1}}'].flatMap((value) => inBothForms('"key":"a/b"', value)),
  ['[{"key":"a/b","was":9007199254740993,"value":{}}]', '[{"key":"a/b","newVersion":9007199254740993,"value":{}}]'],
  ['"\\ud800"', "[1,", "nul"],
  ["{}", '{"sessions":[],"tokens":[]}', '{"sessions":[],"tokens":[],"__proto__":{"x":1}}'].flatMap((value) =>
    inBothForms('"key":"credentials/planted"', value),
  ),
  inBothForms('"key":"credentials/planted","form":"1"', '{"sessions":[],"tokens":[]}'),
  // Both forms at once, of which one or none is what it should be.
  ["0", '"0"', "null"].flatMap((was) =>
    ["1", '"1"', "null", "true"].map(
      (newVersion) =>
        `[{"key":"credentials/planted","was":${was},"newVersion":${newVersion},"value":{"sessions":[],"tokens":[]}}]`,
    ),
  ),
);

/** A change of a record that is absent: as it is written today, and as logs of format 1 have it. */
function inBothForms(fields: string, value: string): readonly string[] {
  return ['"was":0', '"newVersion":1'].map((version) => `[{${fields},${version},"value":${value}}]`);
}

/** A change of the bytes alone, as a disk or a careless hand makes it. */
export function damageBytes(chance: Chance, log: Buffer): Buffer {
  const at = chance.below(log.length);
  const length = 1 + chance.below(Math.min(400, log.length - at));
  const cut = (piece: Uint8Array | string, skip: number) =>
    Buffer.concat([log.subarray(0, at), Buffer.from(piece), log.subarray(at + skip)]);
  const ways: readonly (() => Buffer)[] = [
    () => log.subarray(0, at),
    () => log.subarray(at),
    () => cut("", length),
    () => cut(log.subarray(at, at + length), 0),
    () => cut(Buffer.alloc(length), length),
    () => cut(Buffer.alloc(length, 0xff), length),
    () => cut(Array.from({ length }, () => String.fromCharCode(chance.below(128))).join(""), length),
    () => cut(String.fromCharCode(chance.below(256)), 1),
    () => cut("\n", chance.below(2)),
    () => cut(`\n{"synced":${chance.pick(oddNumbers)},"link":"${"0".repeat(64)}"}\n`, 0),
    () => withOddNumber(chance, log),
    () => shuffleLines(chance, log),
    () => Buffer.concat([log, log.subarray(at)]),
    () => Buffer.alloc(0),
    () => Buffer.concat([Buffer.from("\ufeff"), log]),
  ];
  return chance.pick(ways)();
}

/** A change by somebody who knows the format and has the key, and makes every link right: what is behind must hold as well. */
export function damageMeaning(chance: Chance, log: Buffer, seal: LogSeal): Buffer {
  const groups = log
    .toString("utf8")
    .split("\n")
    .flatMap((line) => decodeGroup(Buffer.from(line)) ?? [])
    .map((group) => ({
      entries: splitEntries(group.entries, group.count) ?? [],
      changes: JSON.parse(group.changes.toString()) as unknown[],
    }));
  const victim = chance.below(groups.length);
  let head = genesis;
  const parts: Uint8Array[] = [chance.below(4) > 0 ? encodeHeader(genesis) : oldHeader];
  for (const [at, { entries, changes }] of groups.entries()) {
    let texts = [...entries];
    let changeTexts = changes.map((change) => JSON.stringify(change));
    if (at === victim) {
      const place = chance.below(texts.length);
      const ways: readonly (() => void)[] = [
        () => changeTexts.splice(place, 1, chance.pick(oddValues)),
        () =>
          changeTexts.splice(
            place,
            1,
            (changeTexts[place] ?? "").replace(
              /"was":\d+/,
              `"${chance.pick(versionNames)}":${chance.pick(oddNumbers)}`,
            ),
          ),
        () =>
          changeTexts.splice(
            place,
            1,
            (changeTexts[place] ?? "").replace(/"was":\d+/, `$&,"newVersion":${chance.pick(oddNumbers)}`),
          ),
        () => changeTexts.splice(place, 1),
        () => changeTexts.push("[]"),
        () => texts.splice(place, 1, chance.pick(oddValues)),
        () => texts.splice(place, 1, (texts[place] ?? "").replace(/"at":\d+/, `"at":${chance.pick(oddNumbers)}`)),
        () => texts.splice(place, 1, `${texts[place]},${texts[place]}`),
        () => {
          texts = texts.toReversed();
          changeTexts = changeTexts.toReversed();
        },
        () =>
          changeTexts.splice(
            place,
            1,
            (changeTexts[place] ?? "").replace(/"key":"[^"]*"/, `"key":${chance.pick(oddValues)}`),
          ),
      ];
      chance.pick(ways)();
    }
    const group = encodeGroup(head, texts, changeTexts, seal);
    head = group.head;
    parts.push(group.bytes, encodeMark(head));
  }
  return Buffer.concat(parts);
}

/** The same log, its links right for other contents, and no seals: all that can be done without the key. */
export function forge(log: Buffer, header: Uint8Array, change: (text: string) => string): Buffer {
  let head = genesis;
  const parts: Uint8Array[] = [header];
  for (const line of log.toString("utf8").split("\n")) {
    const group = decodeGroup(Buffer.from(line));
    if (group === undefined) continue;
    const changes = (JSON.parse(group.changes.toString()) as unknown[]).map((one) => change(JSON.stringify(one)));
    const forged = encodeGroup(head, splitEntries(group.entries, group.count) ?? [], changes);
    head = forged.head;
    parts.push(forged.bytes, encodeMark(head));
  }
  return Buffer.concat(parts);
}

/** One more group with one commit, its link and its mark right, with the seal of whoever adds it. */
export function addGroup(log: Buffer, changes: string, seal: LogSeal | undefined): Buffer {
  const last = log
    .toString("utf8")
    .split("\n")
    .flatMap((line) => decodeGroup(Buffer.from(line)) ?? [])
    .at(-1);
  const head = last === undefined ? genesis : { position: last.first + last.count - 1, link: last.link };
  const entry = { at: 1, actor: "system", action: "thing.planted", subject: "thing/planted" };
  const group = encodeGroup(head, [JSON.stringify(entry)], [changes], seal);
  return Buffer.concat([log, group.bytes, encodeMark(group.head)]);
}

function withOddNumber(chance: Chance, log: Buffer): Buffer {
  const text = log.toString("latin1");
  const numbers = [...text.matchAll(/(?<=[:,[])\d+/g)];
  const found = chance.pick(numbers);
  return Buffer.from(
    text.slice(0, found.index) + chance.pick(oddNumbers) + text.slice(found.index + found[0].length),
    "latin1",
  );
}

function shuffleLines(chance: Chance, log: Buffer): Buffer {
  const lines = log.toString("latin1").split("\n");
  const from = chance.below(lines.length);
  const [line = ""] = lines.splice(from, 1);
  if (chance.below(3) > 0) lines.splice(chance.below(lines.length), 0, line);
  return Buffer.from(lines.join("\n"), "latin1");
}
