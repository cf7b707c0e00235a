import type { JsonObject } from "@gatehouse/base";
import type { Random } from "../support/random.ts";
import {
  type ArchiveFile,
  editArchive,
  groupsOf,
  pickEntry,
  pickTwo,
  redefined,
  relink,
  withoutIndex,
  wordsOf,
} from "./archive-file.ts";
import { type Edit, type FileEdits, type Loot, type Made, otherDigest, otherThan } from "./edit.ts";

const name = "logs.db";

/** A change that is made with statements. */
function edit(title: string, change: (archive: ArchiveFile, random: Random, loot: Loot) => string): Edit {
  return {
    name: title,
    make: (random, loot) => {
      let how = "";
      const bytes = editArchive(loot.own.files[name], (archive) => {
        how = change(archive, random, loot);
      });
      return { bytes, how };
    },
  };
}

function whole(title: string, make: (random: Random, loot: Loot) => Made): Edit {
  return { name: title, make };
}

const actions = ["auth.signed_in", "auth.swept", "plugin.asked", "token.revoked", "user.removed", "witness.key_made"];
const fields = ["actor", "action", "subject"] as const;

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

const entryEdits: readonly Edit[] = [
  edit("an entry says something else", (archive, random) => rewriteEntry(archive, random).how),
  edit("an entry says something else, with links to the end", (archive, random, loot) => {
    const { position, how } = rewriteEntry(archive, random);
    relink(archive, position, floorLink(loot));
    return how;
  }),
  edit("an entry says something else, with links to the head", (archive, random, loot) => {
    const { position, how } = rewriteEntry(archive, random);
    archive.run("UPDATE audit_meta SET link = ?", relink(archive, position, floorLink(loot)));
    return how;
  }),
  edit("two entries change places", (archive, random) => {
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
  edit("an entry is removed", (archive, random) => {
    const { position } = pickEntry(archive, random);
    archive.run("DELETE FROM audit_entries WHERE position = ?", position);
    if (random.chance(0.5)) archive.run("DELETE FROM audit_text WHERE rowid = ?", position);
    return `position ${position}`;
  }),
  edit("an entry stands beyond the ends", (archive, random) => {
    const [row] = archive.rows("SELECT max(position) + 1 AS last, min(position) - 1 AS first FROM audit_entries");
    const beyond = [Number(row?.["last"]) + random.below(50), Number(row?.["first"]) - random.below(50)];
    const { at, actor, action, subject, public: text } = pickEntry(archive, random);
    const position = random.pick(beyond);
    archive.run("INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?)", position, at, actor, action, subject, text);
    return `position ${position}`;
  }),
  edit("an entry of another installation", (archive, random, { other }) => {
    const { position } = pickEntry(archive, random);
    const line = random.pick(JSON.parse(other.reading.entries) as JsonObject[]);
    const { position: _, ...entry } = line;
    archive.run("UPDATE audit_entries SET public = ? WHERE position = ?", JSON.stringify(entry), position);
    return `position ${position}`;
  }),
  edit("an entry is no text", (archive, random) => {
    const { position } = pickEntry(archive, random);
    const to = random.pick(["CAST(public AS BLOB)", "'null'", "'{}'", "'[]'", "'7'", "public || ' '", "''", "'{'"]);
    archive.run(`UPDATE audit_entries SET public = ${to} WHERE position = ?`, position);
    return `position ${position}: ${to}`;
  }),
];

const columnEdits: readonly Edit[] = [
  ...fields.map((field) =>
    edit(`the column ${field}`, (archive, random) => {
      const [one, two] = pickTwo(archive, random);
      archive.run(`UPDATE audit_entries SET ${field} = ? WHERE position = ?`, two[field], one.position);
      return `position ${one.position}: ${two[field]}`;
    }),
  ),
  edit("the column at", (archive, random) => {
    const { position } = pickEntry(archive, random);
    const to = random.pick(["at + 1", "at - 86400000", "0", "'soon'", "at + 0.5", "-at", "9e999", "x'00'"]);
    archive.run(`UPDATE audit_entries SET at = ${to} WHERE position = ?`, position);
    return `position ${position}: ${to}`;
  }),
  edit("a number beyond every other", (archive, random) => {
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

const indexEdits: readonly Edit[] = [
  edit("an index files an entry under something else", (archive, random) => {
    const [one, two] = pickTwo(archive, random);
    const field = random.pick(fields);
    const sql = `UPDATE audit_entries SET ${field} = ? WHERE position = ?`;
    archive.run(sql, two[field], one.position);
    withoutIndex(archive, `audit_${field}`, () => archive.run(sql, one[field], one.position));
    return `position ${one.position} in audit_${field} under ${two[field]}`;
  }),
  edit("an index does not know an entry", (archive, random) => {
    const { position, at, actor, action, subject, public: text } = pickEntry(archive, random);
    const field = random.pick(fields);
    archive.run("DELETE FROM audit_entries WHERE position = ?", position);
    withoutIndex(archive, `audit_${field}`, () =>
      archive.run("INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?)", position, at, actor, action, subject, text),
    );
    return `position ${position} in audit_${field}`;
  }),
  edit("an index knows an entry that is not there", (archive, random) => {
    const { at, actor, action, subject, public: text } = pickEntry(archive, random);
    const field = random.pick(fields);
    const position = 100_000 + random.below(1_000);
    archive.run("INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?)", position, at, actor, action, subject, text);
    withoutIndex(archive, `audit_${field}`, () =>
      archive.run("DELETE FROM audit_entries WHERE position = ?", position),
    );
    return `position ${position} in audit_${field}`;
  }),
  edit("two indexes change places", (archive, random) => {
    const one = random.pick(fields);
    const two = otherThan(random, one, fields);
    const root = (field: string) =>
      archive.rows("SELECT rootpage FROM sqlite_schema WHERE name = ?", `audit_${field}`)[0];
    const [a, b] = [Number(root(one)?.["rootpage"]), Number(root(two)?.["rootpage"])];
    const sql = "UPDATE sqlite_schema SET rootpage = ? WHERE name = ?";
    archive.schema(sql, b, `audit_${one}`);
    archive.schema(sql, a, `audit_${two}`);
    return `${one} and ${two}`;
  }),
  edit("an index is another one", (archive, random) => {
    const field = random.pick(fields);
    const other = otherThan<string>(random, field, [...fields, "at", "public"]);
    const by = random.pick([other, `${field} COLLATE NOCASE`, `${field} DESC`, `upper(${field})`, `${field}, at`]);
    archive.exec(`DROP INDEX audit_${field}`);
    archive.exec(`CREATE INDEX audit_${field} ON audit_entries (${by})`);
    return `audit_${field} by ${by}`;
  }),
  edit("an index is not what its definition says", (archive, random) => {
    const field = random.pick(fields);
    const by = random.pick(["at", "public", `substr(${field}, 2)`, `${field} DESC`]);
    const index = `audit_${field}`;
    const [row] = archive.rows("SELECT sql FROM sqlite_schema WHERE name = ?", index);
    archive.exec(`DROP INDEX ${index}`);
    archive.exec(`CREATE INDEX ${index} ON audit_entries (${by})`);
    archive.schema("UPDATE sqlite_schema SET sql = ? WHERE name = ?", String(row?.["sql"]), index);
    return `${index} by ${by}`;
  }),
  edit("an index knows only some entries", (archive, random) => {
    const field = random.pick(fields);
    const index = `audit_${field}`;
    const { position } = pickEntry(archive, random);
    const [row] = archive.rows("SELECT sql FROM sqlite_schema WHERE name = ?", index);
    archive.exec(`DROP INDEX ${index}`);
    archive.exec(`CREATE INDEX ${index} ON audit_entries (${field}) WHERE position <> ${position}`);
    archive.schema("UPDATE sqlite_schema SET sql = ? WHERE name = ?", String(row?.["sql"]), index);
    return `${index} without position ${position}`;
  }),
  edit("an index is gone", (archive, random) => {
    const field = random.pick(fields);
    archive.exec(`DROP INDEX audit_${field}`);
    return field;
  }),
];

const spanEdits: readonly Edit[] = [
  edit("a span of time is narrower", (archive, random) => {
    const by = 1 + random.below(1e6);
    const to = random.pick([`earliest = (SELECT min(at) + ${by} FROM audit_entries)`, `latest = latest - ${by}`]);
    archive.run(`UPDATE audit_spans SET ${to}`);
    return to;
  }),
  edit("a span of time is missing", (archive) => {
    archive.run("DELETE FROM audit_spans");
    return "the first";
  }),
  edit("a span of time is about nothing", (archive, random) => {
    const span = random.pick([-1, 1, 7, 4_000_000]);
    archive.run(`INSERT INTO audit_spans VALUES (${span}, 0, ${random.below(1e12)})`);
    return `span ${span}`;
  }),
  edit("a span of time is no time", (archive, random) => {
    const to = random.pick(["'soon'", "x'00'", "-9e999", "''"]);
    archive.run(
      random.chance(0.5) ? `UPDATE audit_spans SET earliest = ${to}` : `UPDATE audit_spans SET latest = ${to}`,
    );
    return to;
  }),
];

const textEdits: readonly Edit[] = [
  edit("the words of an entry are others", (archive, random) => {
    const [one, two] = pickTwo(archive, random);
    archive.run(
      "INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)",
      one.position,
      wordsOf(two.public).join(" "),
    );
    return `position ${one.position} with those of ${two.position}`;
  }),
  edit("the words of an entry lack one", (archive, random) => {
    const { position, public: text } = pickEntry(archive, random);
    const all = wordsOf(text);
    const [gone] = all.splice(random.below(all.length), 1);
    archive.run("INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)", position, all.join(" "));
    return `position ${position} without ${gone}`;
  }),
  edit("the words of an entry have one more", (archive, random) => {
    const { position, public: text } = pickEntry(archive, random);
    const more = otherThan(random, "", ["forged", "zzz", "ö", ...wordsOf(pickTwo(archive, random)[1].public)]);
    const all = wordsOf(text);
    const added = all.includes(more) ? `${more}x` : more;
    archive.run("INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)", position, [...all, added].join(" "));
    return `position ${position} with ${added}`;
  }),
  edit("the words of an entry are gone", (archive, random) => {
    const { position } = pickEntry(archive, random);
    archive.run("DELETE FROM audit_text WHERE rowid = ?", position);
    return `position ${position}`;
  }),
  edit("words of an entry that is not there", (archive, random) => {
    const position = random.pick([0, -5, 1_000 + random.below(1_000)]);
    archive.run("INSERT INTO audit_text (rowid, words) VALUES (?, 'user owner')", position);
    return `position ${position}`;
  }),
  edit("an entry is not found by beginnings of words", (archive, random) => {
    const { position, public: text } = pickEntry(archive, random);
    const without = (sql: string) =>
      sql.replace(/, prefix='1 2 3'/, random.pick(["", ", prefix='1'", ", prefix='1 2'"]));
    redefined(archive, "audit_text", without, () =>
      archive.run("INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)", position, wordsOf(text).join(" ")),
    );
    return `position ${position}`;
  }),
  edit("no entry has words", (archive) => {
    archive.exec("INSERT INTO audit_text (audit_text) VALUES ('delete-all')");
    return "all of them";
  }),
  edit("a page of words is not found", (archive, random) => {
    const all = archive.rows("SELECT segid, term FROM audit_text_idx WHERE term <> x''");
    const { segid = 0, term = "" } = random.pick(all);
    if (random.chance(0.5)) archive.run("DELETE FROM audit_text_idx WHERE segid = ? AND term = ?", segid, term);
    else archive.run("UPDATE audit_text_idx SET term = x'30ff' || term WHERE segid = ? AND term = ?", segid, term);
    return `segment ${String(segid)}`;
  }),
  edit("the words of an entry would stay when it is pruned", (archive, random) => {
    const { position } = pickEntry(archive, random);
    if (random.chance(0.5)) archive.run("DELETE FROM audit_text_docsize WHERE id = ?", position);
    else archive.run("UPDATE audit_text_docsize SET id = id + 5000 WHERE id = ?", position);
    return `position ${position}`;
  }),
  edit("a page of words is gone", (archive, random) => {
    const { id = 0 } = random.pick(archive.rows("SELECT id FROM audit_text_data WHERE id > 10"));
    archive.run("DELETE FROM audit_text_data WHERE id = ?", id);
    return `page ${String(id)}`;
  }),
  edit("two pages of words change places", (archive, random) => {
    const pages = archive.rows("SELECT id, block FROM audit_text_data WHERE id > 10 ORDER BY id");
    const at = random.below(pages.length - 1);
    const [a, b] = [pages[at], pages[at + 1]];
    const sql = "UPDATE audit_text_data SET block = ? WHERE id = ?";
    archive.run(sql, b?.["block"] ?? null, a?.["id"] ?? null);
    archive.run(sql, a?.["block"] ?? null, b?.["id"] ?? null);
    return `pages ${at} and ${at + 1}`;
  }),
  edit("the text index has other settings", (archive, random) => {
    const to = random.pick(["k = 'x'", "v = 3", "v = 5", "v = 99", "v = 'no'"]);
    archive.run(`UPDATE audit_text_config SET ${to} WHERE k = 'version'`);
    return to;
  }),
  edit("the structure of the text index", (archive, random) => {
    const to = random.pick(["x''", "zeroblob(9)", "x'00000001'", "CAST('no' AS TEXT)"]);
    archive.run(`UPDATE audit_text_data SET block = ${to} WHERE id = 10`);
    return to;
  }),
];

const groupEdits: readonly Edit[] = [
  edit("a group has another link", (archive, random) => {
    const { first } = random.pick(groupsOf(archive));
    archive.run("UPDATE audit_groups SET link = ? WHERE first = ?", otherDigest(random), first);
    return `position ${first}`;
  }),
  edit("a group has other changes", (archive, random, loot) => {
    const { first } = random.pick(groupsOf(archive));
    archive.run("UPDATE audit_groups SET changes_hash = ? WHERE first = ?", otherDigest(random), first);
    if (random.chance(0.5)) relink(archive, first, floorLink(loot));
    return `position ${first}`;
  }),
  edit("a group has another length", (archive, random) => {
    const { first, count } = random.pick(groupsOf(archive));
    const to = random.pick([count + 1, count + 7, count - 1, 0, -count]);
    archive.run("UPDATE audit_groups SET count = ? WHERE first = ?", to, first);
    return `position ${first}: ${count} to ${to}`;
  }),
  edit("a group is removed", (archive, random) => {
    const { first, count } = random.pick(groupsOf(archive));
    archive.run("DELETE FROM audit_groups WHERE first = ?", first);
    if (random.chance(0.5))
      archive.run("DELETE FROM audit_entries WHERE position BETWEEN ? AND ?", first, first + count - 1);
    return `position ${first}`;
  }),
  edit("a group is split", (archive, random, loot) => {
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
  edit("a group stands beyond the ends", (archive, random) => {
    const groups = groupsOf(archive);
    const last = groups.at(-1);
    const { count, changes_hash: changes, link } = random.pick(groups);
    const first = random.pick([(last?.first ?? 0) + (last?.count ?? 0) + random.below(9), 0, -7]);
    archive.run("INSERT INTO audit_groups VALUES (?, ?, ?, ?)", first, count, changes, link);
    return `position ${first}`;
  }),
];

const metaEdits: readonly Edit[] = [
  edit("the archive ends elsewhere", (archive, random) => {
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
  edit("the archive ends with another link", (archive, random) => {
    archive.run("UPDATE audit_meta SET link = ?", otherDigest(random));
    return "its position kept";
  }),
  edit("the archive begins later", (archive, random) => {
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
  edit("the archive begins before its beginning", (archive, random) => {
    const pruned = random.pick([-1, -1_000, -4_000_000_000, -9_000_000_000_000]);
    const { at, actor, action, subject, public: text } = pickEntry(archive, random);
    const { changes_hash: changes, link } = random.pick(groupsOf(archive));
    archive.run("UPDATE audit_meta SET pruned = ?", pruned);
    archive.run("INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?)", pruned + 1, at, actor, action, subject, text);
    archive.run("INSERT INTO audit_groups VALUES (?, 1, ?, ?)", pruned + 1, changes, link);
    return `behind ${pruned}`;
  }),
  edit("the archive has no end", (archive) => {
    archive.run("DELETE FROM audit_meta");
    return "the row is gone";
  }),
  edit("the archive has two ends", (archive, random) => {
    const { first, link } = random.pick(groupsOf(archive));
    archive.run("INSERT INTO audit_meta VALUES (?, ?, ?, 0)", random.pick([0, 2]), first, link);
    return `also ${first}`;
  }),
  edit("the end of the archive is no number", (archive, random) => {
    const to = random.pick(["position = 'end'", "position = -1", "pruned = 'x'", "pruned = 0.5", "link = x'00'"]);
    archive.run(`UPDATE audit_meta SET ${to}`);
    return to;
  }),
];

const strangers = [
  "CREATE TRIGGER hide AFTER INSERT ON audit_entries BEGIN DELETE FROM audit_entries WHERE actor = 'usr_x'; END",
  "CREATE TRIGGER hush BEFORE UPDATE ON audit_meta BEGIN SELECT raise(IGNORE); END",
  "CREATE VIEW shown AS SELECT * FROM audit_entries",
  "CREATE TABLE more (a)",
  "CREATE INDEX audit_at ON audit_entries (at)",
  "CREATE UNIQUE INDEX one_actor ON audit_entries (actor, position)",
  "ALTER TABLE audit_entries ADD COLUMN more TEXT",
  "ALTER TABLE audit_meta RENAME TO audit_mets",
  "DROP TABLE audit_spans",
  "DROP TABLE audit_text",
  "DROP TABLE audit_groups",
  "ANALYZE",
];

const schemaEdits: readonly Edit[] = [
  edit("something else in the schema", (archive, random) => {
    const sql = random.pick(strangers);
    archive.exec(sql);
    return sql;
  }),
  edit("a table is a view", (archive, random) => {
    const { position } = pickEntry(archive, random);
    archive.exec("ALTER TABLE audit_entries RENAME TO kept");
    archive.exec(`CREATE VIEW audit_entries AS SELECT * FROM kept WHERE position <> ${position}`);
    return `without position ${position}`;
  }),
  edit("a table is defined otherwise", (archive, random) => {
    const [from, to] = random.pick([
      ["public TEXT NOT NULL", "public TEXT NOT NULL DEFAULT ''"],
      ["actor TEXT NOT NULL", "actor TEXT NOT NULL COLLATE NOCASE"],
      ["at INTEGER NOT NULL", "at TEXT NOT NULL"],
    ]);
    const sql = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'audit_entries'";
    archive.schema(sql, from ?? "", to ?? "");
    return String(to);
  }),
  edit("a table is another one's pages", (archive, random) => {
    const tables = [
      "audit_groups",
      "audit_entries",
      "audit_spans",
      "audit_meta",
      "audit_text_data",
      "audit_text_config",
    ];
    const one = random.pick(tables);
    const two = otherThan(random, one, tables);
    const sql =
      "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = ?) WHERE name = ?";
    archive.schema(sql, two, one);
    return `${one} is ${two}`;
  }),
  edit("another program's file", (archive, random) => {
    const to = random.pick([
      "application_id = 0",
      "application_id = 7",
      "user_version = 0",
      "user_version = 2",
      "user_version = -1",
    ]);
    archive.exec(`PRAGMA ${to}`);
    return to;
  }),
];

/** Bytes of the file itself, past SQLite. */
const byteEdits: readonly Edit[] = [
  whole("a text in the file", (random, { own }) => {
    const bytes = Buffer.from(own.files[name]);
    const subject = random.pick(subjectsOf(own.files[name]));
    const places: number[] = [];
    for (let at = bytes.indexOf(subject); at !== -1; at = bytes.indexOf(subject, at + 1)) places.push(at);
    const at = random.pick(places) + subject.length - 1 - random.below(6);
    bytes[at] = bytes[at] === 0x61 ? 0x62 : 0x61;
    return { bytes, how: `${subject} at byte ${at}` };
  }),
  whole("pages of an earlier moment", (random, { own }) => {
    const bytes = Buffer.from(own.files[name]);
    const old = random.pick(own.before.filter(({ checkpoint }) => checkpoint > 0 && checkpoint < own.checkpoint)).files[
      name
    ];
    const page = 1 + random.below(old.length / pageSize - 1);
    if (bytes.compare(old, page * pageSize, (page + 1) * pageSize, page * pageSize, (page + 1) * pageSize) === 0) {
      bytes.fill(0, page * pageSize, (page + 1) * pageSize);
    } else old.copy(bytes, page * pageSize, page * pageSize, (page + 1) * pageSize);
    return { bytes, how: `page ${page + 1}` };
  }),
  whole("the file is cut", (random, { own }) => {
    const pages = own.files[name].length / pageSize;
    const kept = random.below(pages);
    return { bytes: own.files[name].subarray(0, kept * pageSize), how: `to ${kept} of ${pages} pages` };
  }),
  whole("the file of an earlier moment", (random, { own }) => {
    const moment = random.pick(own.before.filter(({ checkpoint }) => checkpoint < own.checkpoint));
    return { bytes: moment.files[name], how: `of position ${moment.checkpoint}` };
  }),
  whole("the file of another installation", (random, { other }) => {
    const moment = random.pick([...other.before, other]);
    return { bytes: moment.files[name], how: `at position ${moment.position}` };
  }),
  whole("the file is something else", (random, { own }) =>
    random.pick([
      { bytes: null, how: "removed" },
      { bytes: own.files["state.json"], how: "state.json" },
      { bytes: Buffer.alloc(3 * pageSize), how: "zeros" },
    ]),
  ),
];

const pageSize = 4_096;

/** Those of tokens: each is the subject of one entry. */
function subjectsOf(bytes: Buffer): string[] {
  return [...new Set(bytes.toString("latin1").match(/token\/tok[0-9]{2,3}(?![0-9])/g))];
}

export const archiveEdits: FileEdits = {
  file: name,
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
