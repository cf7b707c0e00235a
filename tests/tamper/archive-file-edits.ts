import { editSql } from "./archive-edit.ts";
import { pickEntry } from "./archive-file.ts";
import { type Edit, otherThan } from "./edit.ts";

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

/** What SQLite takes the file for. */
export const schemaEdits: readonly Edit[] = [
  editSql("something else in the schema", (archive, random) => {
    const sql = random.pick(strangers);
    archive.exec(sql);
    return sql;
  }),
  editSql("a table is a view", (archive, random) => {
    const { position } = pickEntry(archive, random);
    archive.exec("ALTER TABLE audit_entries RENAME TO kept");
    archive.exec(`CREATE VIEW audit_entries AS SELECT * FROM kept WHERE position <> ${position}`);
    return `without position ${position}`;
  }),
  editSql("a table is defined otherwise", (archive, random) => {
    const [from, to] = random.pick<readonly [string, string]>([
      ["public TEXT NOT NULL", "public TEXT NOT NULL DEFAULT ''"],
      ["actor TEXT NOT NULL", "actor TEXT NOT NULL COLLATE NOCASE"],
      ["at INTEGER NOT NULL", "at TEXT NOT NULL"],
    ]);
    const sql = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'audit_entries'";
    archive.schema(sql, from, to);
    return to;
  }),
  editSql("a table is another one's pages", (archive, random) => {
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
  editSql("another program's file", (archive, random) => {
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

const pageSize = 4_096;

/** Bytes of the file itself, past SQLite. */
export const byteEdits: readonly Edit[] = [
  whole("a text in the file", (random, { own }) => {
    const bytes = Buffer.from(own.files["logs.db"]);
    const subject = random.pick(subjectsOf(own.files["logs.db"]));
    const places: number[] = [];
    for (let at = bytes.indexOf(subject); at !== -1; at = bytes.indexOf(subject, at + 1)) places.push(at);
    const at = random.pick(places) + subject.length - 1 - random.below(6);
    bytes[at] = bytes[at] === 0x61 ? 0x62 : 0x61;
    return { bytes, how: `${subject} at byte ${at}` };
  }),
  whole("pages of an earlier moment", (random, { own }) => {
    const bytes = Buffer.from(own.files["logs.db"]);
    const old = random.pick(own.before.filter(({ checkpoint }) => checkpoint > 0 && checkpoint < own.checkpoint)).files[
      "logs.db"
    ];
    const page = 1 + random.below(old.length / pageSize - 1);
    if (bytes.compare(old, page * pageSize, (page + 1) * pageSize, page * pageSize, (page + 1) * pageSize) === 0) {
      bytes.fill(0, page * pageSize, (page + 1) * pageSize);
    } else old.copy(bytes, page * pageSize, page * pageSize, (page + 1) * pageSize);
    return { bytes, how: `page ${page + 1}` };
  }),
  whole("the file is cut", (random, { own }) => {
    const pages = own.files["logs.db"].length / pageSize;
    const kept = random.below(pages);
    return { bytes: own.files["logs.db"].subarray(0, kept * pageSize), how: `to ${kept} of ${pages} pages` };
  }),
  whole("the file of an earlier moment", (random, { own }) => {
    const moment = random.pick(own.before.filter(({ checkpoint }) => checkpoint < own.checkpoint));
    return { bytes: moment.files["logs.db"], how: `of position ${moment.checkpoint}` };
  }),
  whole("the file of another installation", (random, { other }) => {
    const moment = random.pick([...other.before, other]);
    return { bytes: moment.files["logs.db"], how: `at position ${moment.position}` };
  }),
  whole("the file is something else", (random, { own }) =>
    random.pick([
      { bytes: null, how: "removed" },
      { bytes: own.files["state.json"], how: "state.json" },
      { bytes: Buffer.alloc(3 * pageSize), how: "zeros" },
    ]),
  ),
];

function whole(name: string, make: Edit["make"]): Edit {
  return { name, make };
}

/** Those of tokens: each is the subject of one entry. */
function subjectsOf(bytes: Buffer): string[] {
  return [...new Set(bytes.toString("latin1").match(/token\/tok[0-9]{2,3}(?![0-9])/g))];
}
