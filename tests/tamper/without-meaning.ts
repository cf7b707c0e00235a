import { join } from "node:path";
import { Random } from "../support/random.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import { editArchive, groupsOf, pickEntry, wordsOf } from "./archive-file.ts";
import type { Edit } from "./edit.ts";
import type { FileName } from "./files.ts";
import { getGround, lootsOf, turnOf } from "./ground.ts";
import { harms } from "./harms.ts";
import { findDisagreement, judgeEdit } from "./judge.ts";
import { forgedGroup } from "./log-edits.ts";
import { chain, encodeGroupText, encodeLog, parseLog } from "./log-text.ts";

const log = "state.json.audit-wal";
const archive = "logs.db";

/**
 * Changes of bytes that say nothing, each with the reason. They may be accepted without a word: everything that can be
 * asked is answered as before.
 */
const edits: readonly (Edit & { readonly file: FileName })[] = [
  {
    file: log,
    name: "the header has an earlier format",
    // Every group is held to its seal all the same, and the start writes the log anew.
    make: (_, { own }) => ({ bytes: encodeLog({ ...parseLog(own.files[log]), format: 1 }), how: "format 1" }),
  },
  {
    file: log,
    name: "a mark is left out",
    // It only vouches for what can be read anyway.
    make: (random, { own }) => {
      const text = parseLog(own.files[log]);
      const group = random.pick(text.groups.filter(({ mark }) => mark !== undefined));
      group.mark = undefined;
      return { bytes: encodeLog(text), how: `behind position ${group.first}` };
    },
  },
  {
    file: log,
    name: "the log before, continued by this one",
    // A checkpoint that was cut short leaves exactly that.
    make: (_, { own }) => {
      const before = own.before.find(
        ({ checkpoint, position }) => checkpoint < position && position === own.checkpoint,
      );
      if (before === undefined) throw new Error("no log ends at the checkpoint");
      const groups = parseLog(own.files[log]).groups.map(encodeGroupText).join("");
      return { bytes: Buffer.concat([before.files[log], Buffer.from(groups)]), how: `from ${before.checkpoint}` };
    },
  },
  {
    file: log,
    name: "a group without a seal behind the end, and no mark for it",
    // It is taken for a write that power cut short, cut off, and the start says so.
    make: (random, { own }) => {
      const text = parseLog(own.files[log]);
      const forged = { ...forgedGroup(random, text), mark: undefined };
      text.groups.push(forged);
      chain(text);
      return { bytes: encodeLog(text), how: `position ${forged.first}` };
    },
  },
  {
    file: archive,
    name: "a span of time is wider",
    // It only says where to look.
    make: (random, { own }) => {
      const by = 1 + random.below(1e9);
      const bytes = editArchive(own.files[archive], ({ run }) =>
        run(`UPDATE audit_spans SET earliest = earliest - ${by}, latest = latest + ${by}`),
      );
      return { bytes, how: `by ${by}` };
    },
  },
  {
    file: archive,
    name: "entries in the place of forgotten ones",
    // The start forgets them again, before anybody can ask.
    make: (random, { own: { files } }) => {
      let how = "";
      const bytes = editArchive(files[archive], (file) => {
        const [first] = groupsOf(file);
        const { position: last, link } = floorOf(files["state.json"]);
        const pruned = random.below(last);
        const { at, actor, action, subject, public: text } = pickEntry(file, random);
        for (let position = pruned + 1; position <= last; position += 1) {
          file.run("INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?)", position, at, actor, action, subject, text);
          file.run("INSERT INTO audit_text (rowid, words) VALUES (?, ?)", position, wordsOf(text).join(" "));
        }
        const changes = first?.changes_hash ?? "";
        file.run("INSERT INTO audit_groups VALUES (?, ?, ?, ?)", pruned + 1, last - pruned, changes, link);
        file.run("UPDATE audit_meta SET pruned = ?", pruned);
        how = `behind ${pruned}`;
      });
      return { bytes, how };
    },
  },
];

function floorOf(state: Buffer): { position: number; link: string } {
  const line = /^\{"key":"audit-floor\/.*\}/m.exec(state.toString("utf8"))?.[0] ?? "";
  return (JSON.parse(line) as { value: { position: number; link: string } }).value;
}

/** So that nobody takes the edits above for holes: they are told at all doors as what they are, and change no answer. */
export const withoutMeaning: Scenario<"tamper"> = {
  name: "without-meaning",
  run: ({ seed, counts }) =>
    inScratch(async (home) => {
      const tally = new Tally();
      const loots = lootsOf(await getGround());
      for (let number = 0; number < counts.meaningless; number += 1) {
        const edit = turnOf(edits, number);
        // The second one has a floor.
        const loot = edit.name.includes("forgotten")
          ? turnOf(loots, 1)
          : turnOf(loots, Math.floor(number / edits.length));
        const { bytes, how } = edit.make(new Random(seed, number), loot);
        const changed = { files: loot.own.files, name: edit.file, bytes };
        const what = `edit without meaning ${number} of seed ${seed}: ${edit.file}, ${edit.name} (${how})`;
        const verdict = await judgeEdit(join(home, "case"), changed, loot.own);
        tally.count("edits without meaning");
        const isQuiet = verdict.fate === "accepted silently" || verdict.fate === "cut off at start";
        if (!isQuiet || verdict.wrong !== undefined)
          tally.fail(`${what}: ${verdict.fate}, ${verdict.wrong ?? verdict.said}`);
        const disagreement = await findDisagreement(join(home, "case"), changed, verdict);
        if (disagreement !== undefined) tally.fail(`${what}: ${verdict.fate}, but ${disagreement}`, harms.disagreed);
      }
      return tally.outcome();
    }),
};
