import type { JsonObject } from "@gatehouse/base";
import type { Random } from "../support/random.ts";
import { editSql, searchFields } from "./archive-edit.ts";
import { type ArchiveFile, groupsOf, pickEntry, pickTwo, relink, wordsOf } from "./archive-file.ts";
import { type Edit, type Loot, otherDigest, otherThan } from "./edit.ts";

const actions = ["auth.signed_in", "auth.swept", "plugin.asked", "token.revoked", "user.removed", "witness.key_made"];

/** What an entry says. */
export const entryEdits: readonly Edit[] = [
  editSql("an entry says something else", (archive, random) => rewriteEntry(archive, random).how),
  editSql("an entry says something else, with links to the end", (archive, random, loot) => {
    const { position, how } = rewriteEntry(archive, random);
    relink(archive, position, floorLink(loot));
    return how;
  }),
  editSql("an entry says something else, with links to the head", (archive, random, loot) => {
    const { position, how } = rewriteEntry(archive, random);
    archive.run("UPDATE audit_meta SET link = ?", relink(archive, position, floorLink(loot)));
    return how;
  }),
  editSql("two entries change places", (archive, random) => {
    const [a, b] = pickTwo(archive, random);
    const sql = "UPDATE audit_entries SET public = ?, at = ?, actor = ?, action = ?, subject = ? WHERE position = ?";
    for (const [to, { at, actor, action, subject, public: text }] of [
      [a, b],
      [b, a],
    ] as const) {
      archive.run(sql, text, at, actor, action, subject, to.position);
      archive.run(
        "INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)",
        to.position,
        wordsOf(text).join(" "),
      );
    }
    return `positions ${a.position} and ${b.position}`;
  }),
  editSql("an entry is removed", (archive, random) => {
    const { position } = pickEntry(archive, random);
    archive.run("DELETE FROM audit_entries WHERE position = ?", position);
    if (random.chance(0.5)) archive.run("DELETE FROM audit_text WHERE rowid = ?", position);
    return `position ${position}`;
  }),
  editSql("an entry stands beyond the ends", (archive, random) => {
    const [row] = archive.rows("SELECT max(position) + 1 AS last, min(position) - 1 AS first FROM audit_entries");
    const beyond = [Number(row?.["last"]) + random.below(50), Number(row?.["first"]) - random.below(50)];
    const { at, actor, action, subject, public: text } = pickEntry(archive, random);
    const position = random.pick(beyond);
    archive.run("INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?)", position, at, actor, action, subject, text);
    return `position ${position}`;
  }),
  editSql("an entry of another installation", (archive, random, { other }) => {
    const { position } = pickEntry(archive, random);
    const line = random.pick(JSON.parse(other.reading.entries) as JsonObject[]);
    const { position: _, ...entry } = line;
    archive.run("UPDATE audit_entries SET public = ? WHERE position = ?", JSON.stringify(entry), position);
    return `position ${position}`;
  }),
  editSql("an entry is no text", (archive, random) => {
    const { position } = pickEntry(archive, random);
    const to = random.pick(["CAST(public AS BLOB)", "'null'", "'{}'", "'[]'", "'7'", "public || ' '", "''", "'{'"]);
    archive.run(`UPDATE audit_entries SET public = ${to} WHERE position = ?`, position);
    return `position ${position}: ${to}`;
  }),
];

/** What it is filed under. */
export const columnEdits: readonly Edit[] = [
  ...searchFields.map((field) =>
    editSql(`the column ${field}`, (archive, random) => {
      const [one, two] = pickTwo(archive, random);
      archive.run(`UPDATE audit_entries SET ${field} = ? WHERE position = ?`, two[field], one.position);
      return `position ${one.position}: ${two[field]}`;
    }),
  ),
  editSql("the column at", (archive, random) => {
    const { position } = pickEntry(archive, random);
    const to = random.pick(["at + 1", "at - 86400000", "0", "'soon'", "at + 0.5", "-at", "9e999", "x'00'"]);
    archive.run(`UPDATE audit_entries SET at = ${to} WHERE position = ?`, position);
    return `position ${position}: ${to}`;
  }),
  editSql("a number beyond every other", (archive, random) => {
    const { position } = pickEntry(archive, random);
    const to = random.pick(["9223372036854775807", "-9223372036854775808", "9007199254740993"]);
    const sql = random.pick([
      `UPDATE audit_entries SET at = ${to} WHERE position = ${position}`,
      `UPDATE audit_spans SET latest = ${to}`,
      `UPDATE audit_spans SET earliest = ${to}`,
      `UPDATE audit_groups SET count = ${to} WHERE first = (SELECT max(first) FROM audit_groups)`,
      `UPDATE audit_groups SET count = ${to} WHERE first = (SELECT min(first) FROM audit_groups)`,
      `UPDATE audit_entries SET position = ${to} WHERE position = ${position}`,
      `UPDATE audit_meta SET position = ${to}`,
      `UPDATE audit_meta SET pruned = ${to}`,
    ]);
    archive.run(sql);
    return sql;
  }),
];

/** What the chain is made of. */
export const groupEdits: readonly Edit[] = [
  editSql("a group has another link", (archive, random) => {
    const { first } = random.pick(groupsOf(archive));
    archive.run("UPDATE audit_groups SET link = ? WHERE first = ?", otherDigest(random), first);
    return `position ${first}`;
  }),
  editSql("a group has other changes", (archive, random, loot) => {
    const { first } = random.pick(groupsOf(archive));
    archive.run("UPDATE audit_groups SET changes_hash = ? WHERE first = ?", otherDigest(random), first);
    if (random.chance(0.5)) relink(archive, first, floorLink(loot));
    return `position ${first}`;
  }),
  editSql("a group has another length", (archive, random) => {
    const { first, count } = random.pick(groupsOf(archive));
    const to = random.pick([count + 1, count + 7, count - 1, 0, -count]);
    archive.run("UPDATE audit_groups SET count = ? WHERE first = ?", to, first);
    return `position ${first}: ${count} to ${to}`;
  }),
  editSql("a group is removed", (archive, random) => {
    const { first, count } = random.pick(groupsOf(archive));
    archive.run("DELETE FROM audit_groups WHERE first = ?", first);
    if (random.chance(0.5))
      archive.run("DELETE FROM audit_entries WHERE position BETWEEN ? AND ?", first, first + count - 1);
    return `position ${first}`;
  }),
  editSql("a group is split", (archive, random, loot) => {
    const {
      first,
      count,
      changes_hash: changes,
      link,
    } = random.pick(groupsOf(archive).filter((group) => group.count > 1));
    archive.run("UPDATE audit_groups SET count = 1 WHERE first = ?", first);
    archive.run("INSERT INTO audit_groups VALUES (?, ?, ?, ?)", first + 1, count - 1, changes, link);
    if (random.chance(0.5)) archive.run("UPDATE audit_meta SET link = ?", relink(archive, first, floorLink(loot)));
    return `position ${first}`;
  }),
  editSql("a group stands beyond the ends", (archive, random) => {
    const groups = groupsOf(archive);
    const last = groups.at(-1);
    const { count, changes_hash: changes, link } = random.pick(groups);
    const first = random.pick([(last?.first ?? 0) + (last?.count ?? 0) + random.below(9), 0, -7]);
    archive.run("INSERT INTO audit_groups VALUES (?, ?, ?, ?)", first, count, changes, link);
    return `position ${first}`;
  }),
];

/** Where the archive begins and ends. */
export const metaEdits: readonly Edit[] = [
  editSql("the archive ends elsewhere", (archive, random) => {
    const { first, count, link } = random.pick(groupsOf(archive).slice(0, -1));
    const position = first + count - 1;
    archive.run("UPDATE audit_meta SET position = ?, link = ?", position, link);
    if (random.chance(0.5)) {
      archive.run("DELETE FROM audit_groups WHERE first > ?", position);
      archive.run("DELETE FROM audit_entries WHERE position > ?", position);
      archive.run("DELETE FROM audit_text WHERE rowid > ?", position);
    }
    return `at ${position}`;
  }),
  editSql("the archive ends with another link", (archive, random) => {
    archive.run("UPDATE audit_meta SET link = ?", otherDigest(random));
    return "its position kept";
  }),
  editSql("the archive begins later", (archive, random) => {
    const { first, count } = random.pick(groupsOf(archive).slice(0, -1));
    const position = first + count - 1;
    archive.run("UPDATE audit_meta SET pruned = ?", position);
    if (random.chance(0.7)) {
      archive.run("DELETE FROM audit_groups WHERE first <= ?", position);
      archive.run("DELETE FROM audit_entries WHERE position <= ?", position);
      archive.run("DELETE FROM audit_text WHERE rowid <= ?", position);
    }
    return `behind ${position}`;
  }),
  editSql("the archive begins before its beginning", (archive, random) => {
    const pruned = random.pick([-1, -1_000, -4_000_000_000, -9_000_000_000_000]);
    const { at, actor, action, subject, public: text } = pickEntry(archive, random);
    const { changes_hash: changes, link } = random.pick(groupsOf(archive));
    archive.run("UPDATE audit_meta SET pruned = ?", pruned);
    archive.run("INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?)", pruned + 1, at, actor, action, subject, text);
    archive.run("INSERT INTO audit_groups VALUES (?, 1, ?, ?)", pruned + 1, changes, link);
    return `behind ${pruned}`;
  }),
  editSql("the archive has no end", (archive) => {
    archive.run("DELETE FROM audit_meta");
    return "the row is gone";
  }),
  editSql("the archive has two ends", (archive, random) => {
    const { first, link } = random.pick(groupsOf(archive));
    archive.run("INSERT INTO audit_meta VALUES (?, ?, ?, 0)", random.pick([0, 2]), first, link);
    return `also ${first}`;
  }),
  editSql("the end of the archive is no number", (archive, random) => {
    const to = random.pick(["position = 'end'", "position = -1", "pruned = 'x'", "pruned = 0.5", "link = x'00'"]);
    archive.run(`UPDATE audit_meta SET ${to}`);
    return to;
  }),
];

/** Where the chain of the archive begins: anybody can read it in state.json. */
function floorLink({ own }: Loot): string {
  const text = own.files["state.json"].toString("utf8");
  return /"key":"audit-floor\/main".*"link":"([0-9a-f]{64})"/.exec(text)?.[1] ?? "0".repeat(64);
}

/** Another text for an entry, with the columns and the words that belong to it. */
function rewriteEntry(archive: ArchiveFile, random: Random): { position: number; how: string } {
  const entry = pickEntry(archive, random);
  const said = JSON.parse(entry.public) as JsonObject;
  const changes: readonly (readonly [string, JsonObject])[] = [
    ["action", { action: otherThan(random, entry.action, actions) }],
    ["actor", { actor: `usr_${otherDigest(random).slice(0, 10)}` }],
    ["subject", { subject: `user/usr_${otherDigest(random).slice(0, 10)}` }],
    ["at", { at: entry.at + 1 + random.below(1e9) }],
    ["detail", { detail: { userId: `usr_${otherDigest(random).slice(0, 10)}` } }],
    ["address", { address: "203.0.113.99" }],
  ];
  const [field, change] = random.pick(changes);
  const text = JSON.stringify({ ...said, ...change });
  const { at, actor, action, subject } = JSON.parse(text) as typeof entry;
  const sql = "UPDATE audit_entries SET public = ?, at = ?, actor = ?, action = ?, subject = ? WHERE position = ?";
  archive.run(sql, text, at, actor, action, subject, entry.position);
  const found = wordsOf(text).join(" ");
  archive.run("INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)", entry.position, found);
  archive.exec(
    "UPDATE audit_spans SET earliest = (SELECT min(at) FROM audit_entries), latest = (SELECT max(at) FROM audit_entries)",
  );
  return { position: entry.position, how: `${field} at position ${entry.position}` };
}
