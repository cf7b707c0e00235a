import { editSql, searchFields } from "./archive-edit.ts";
import { pickEntry, pickTwo, redefined, sqlOf, withoutIndex, wordsOf } from "./archive-file.ts";
import { type Edit, otherThan } from "./edit.ts";

/** The indexes by field. */
export const indexEdits: readonly Edit[] = [
  editSql("an index files an entry under something else", (archive, random) => {
    const [one, two] = pickTwo(archive, random);
    const field = random.pick(searchFields);
    const sql = `UPDATE audit_entries SET ${field} = ? WHERE position = ?`;
    archive.run(sql, two[field], one.position);
    withoutIndex(archive, `audit_${field}`, () => archive.run(sql, one[field], one.position));
    return `position ${one.position} in audit_${field} under ${two[field]}`;
  }),
  editSql("an index does not know an entry", (archive, random) => {
    const { position, at, actor, action, subject, public: text } = pickEntry(archive, random);
    const field = random.pick(searchFields);
    archive.run("DELETE FROM audit_entries WHERE position = ?", position);
    withoutIndex(archive, `audit_${field}`, () =>
      archive.run("INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?)", position, at, actor, action, subject, text),
    );
    return `position ${position} in audit_${field}`;
  }),
  editSql("an index knows an entry that is not there", (archive, random) => {
    const { at, actor, action, subject, public: text } = pickEntry(archive, random);
    const field = random.pick(searchFields);
    const position = 100_000 + random.below(1_000);
    archive.run("INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?)", position, at, actor, action, subject, text);
    withoutIndex(archive, `audit_${field}`, () =>
      archive.run("DELETE FROM audit_entries WHERE position = ?", position),
    );
    return `position ${position} in audit_${field}`;
  }),
  editSql("two indexes change places", (archive, random) => {
    const one = random.pick(searchFields);
    const two = otherThan(random, one, searchFields);
    const root = (field: string) =>
      archive.rows("SELECT rootpage FROM sqlite_schema WHERE name = ?", `audit_${field}`)[0];
    const [a, b] = [Number(root(one)?.["rootpage"]), Number(root(two)?.["rootpage"])];
    const sql = "UPDATE sqlite_schema SET rootpage = ? WHERE name = ?";
    archive.schema(sql, b, `audit_${one}`);
    archive.schema(sql, a, `audit_${two}`);
    return `${one} and ${two}`;
  }),
  editSql("an index is another one", (archive, random) => {
    const field = random.pick(searchFields);
    const other = otherThan<string>(random, field, [...searchFields, "at", "public"]);
    const by = random.pick([other, `${field} COLLATE NOCASE`, `${field} DESC`, `upper(${field})`, `${field}, at`]);
    archive.exec(`DROP INDEX audit_${field}`);
    archive.exec(`CREATE INDEX audit_${field} ON audit_entries (${by})`);
    return `audit_${field} by ${by}`;
  }),
  editSql("an index is not what its definition says", (archive, random) => {
    const field = random.pick(searchFields);
    const by = random.pick(["at", "public", `substr(${field}, 2)`, `${field} DESC`]);
    const index = `audit_${field}`;
    const sql = sqlOf(archive, index);
    archive.exec(`DROP INDEX ${index}`);
    archive.exec(`CREATE INDEX ${index} ON audit_entries (${by})`);
    archive.schema("UPDATE sqlite_schema SET sql = ? WHERE name = ?", sql, index);
    return `${index} by ${by}`;
  }),
  editSql("an index knows only some entries", (archive, random) => {
    const field = random.pick(searchFields);
    const index = `audit_${field}`;
    const { position } = pickEntry(archive, random);
    const sql = sqlOf(archive, index);
    archive.exec(`DROP INDEX ${index}`);
    archive.exec(`CREATE INDEX ${index} ON audit_entries (${field}) WHERE position <> ${position}`);
    archive.schema("UPDATE sqlite_schema SET sql = ? WHERE name = ?", sql, index);
    return `${index} without position ${position}`;
  }),
  editSql("an index is gone", (archive, random) => {
    const field = random.pick(searchFields);
    archive.exec(`DROP INDEX audit_${field}`);
    return field;
  }),
];

/** The index by time. */
export const spanEdits: readonly Edit[] = [
  editSql("a span of time is narrower", (archive, random) => {
    const by = 1 + random.below(1e6);
    const to = random.pick([`earliest = (SELECT min(at) + ${by} FROM audit_entries)`, `latest = latest - ${by}`]);
    archive.run(`UPDATE audit_spans SET ${to}`);
    return to;
  }),
  editSql("a span of time is missing", (archive) => {
    archive.run("DELETE FROM audit_spans");
    return "the first";
  }),
  editSql("a span of time is about nothing", (archive, random) => {
    const span = random.pick([-1, 1, 7, 4_000_000]);
    archive.run(`INSERT INTO audit_spans VALUES (${span}, 0, ${random.below(1e12)})`);
    return `span ${span}`;
  }),
  editSql("a span of time is no time", (archive, random) => {
    const to = random.pick(["'soon'", "x'00'", "-9e999", "''"]);
    archive.run(
      random.chance(0.5) ? `UPDATE audit_spans SET earliest = ${to}` : `UPDATE audit_spans SET latest = ${to}`,
    );
    return to;
  }),
];

/** The index by words. */
export const textEdits: readonly Edit[] = [
  editSql("the words of an entry are others", (archive, random) => {
    const [one, two] = pickTwo(archive, random);
    archive.run(
      "INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)",
      one.position,
      wordsOf(two.public).join(" "),
    );
    return `position ${one.position} with those of ${two.position}`;
  }),
  editSql("the words of an entry lack one", (archive, random) => {
    const { position, public: text } = pickEntry(archive, random);
    const all = wordsOf(text);
    const [gone] = all.splice(random.below(all.length), 1);
    archive.run("INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)", position, all.join(" "));
    return `position ${position} without ${gone}`;
  }),
  editSql("the words of an entry have one more", (archive, random) => {
    const { position, public: text } = pickEntry(archive, random);
    const more = otherThan(random, "", ["forged", "zzz", "ö", ...wordsOf(pickTwo(archive, random)[1].public)]);
    const all = wordsOf(text);
    const added = all.includes(more) ? `${more}x` : more;
    archive.run("INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)", position, [...all, added].join(" "));
    return `position ${position} with ${added}`;
  }),
  editSql("the words of an entry are gone", (archive, random) => {
    const { position } = pickEntry(archive, random);
    archive.run("DELETE FROM audit_text WHERE rowid = ?", position);
    return `position ${position}`;
  }),
  editSql("words of an entry that is not there", (archive, random) => {
    const position = random.pick([0, -5, 1_000 + random.below(1_000)]);
    archive.run("INSERT INTO audit_text (rowid, words) VALUES (?, 'user owner')", position);
    return `position ${position}`;
  }),
  editSql("an entry is not found by beginnings of words", (archive, random) => {
    const { position, public: text } = pickEntry(archive, random);
    const without = (sql: string) =>
      sql.replace(/, prefix='1 2 3'/, random.pick(["", ", prefix='1'", ", prefix='1 2'"]));
    redefined(archive, "audit_text", without, () =>
      archive.run("INSERT OR REPLACE INTO audit_text (rowid, words) VALUES (?, ?)", position, wordsOf(text).join(" ")),
    );
    return `position ${position}`;
  }),
  editSql("no entry has words", (archive) => {
    archive.exec("INSERT INTO audit_text (audit_text) VALUES ('delete-all')");
    return "all of them";
  }),
  editSql("a page of words is not found", (archive, random) => {
    const all = archive.rows("SELECT segid, term FROM audit_text_idx WHERE term <> x''");
    const { segid = 0, term = "" } = random.pick(all);
    if (random.chance(0.5)) archive.run("DELETE FROM audit_text_idx WHERE segid = ? AND term = ?", segid, term);
    else archive.run("UPDATE audit_text_idx SET term = x'30ff' || term WHERE segid = ? AND term = ?", segid, term);
    return `segment ${Number(segid)}`;
  }),
  editSql("the words of an entry would stay when it is pruned", (archive, random) => {
    const { position } = pickEntry(archive, random);
    if (random.chance(0.5)) archive.run("DELETE FROM audit_text_docsize WHERE id = ?", position);
    else archive.run("UPDATE audit_text_docsize SET id = id + 5000 WHERE id = ?", position);
    return `position ${position}`;
  }),
  editSql("a page of words is gone", (archive, random) => {
    const { id = 0 } = random.pick(archive.rows("SELECT id FROM audit_text_data WHERE id > 10"));
    archive.run("DELETE FROM audit_text_data WHERE id = ?", id);
    return `page ${id as bigint}`;
  }),
  editSql("two pages of words change places", (archive, random) => {
    const pages = archive.rows("SELECT id, block FROM audit_text_data WHERE id > 10 ORDER BY id");
    const at = random.below(pages.length - 1);
    const [a, b] = [pages[at], pages[at + 1]];
    const sql = "UPDATE audit_text_data SET block = ? WHERE id = ?";
    archive.run(sql, b?.["block"] ?? null, a?.["id"] ?? null);
    archive.run(sql, a?.["block"] ?? null, b?.["id"] ?? null);
    return `pages ${at} and ${at + 1}`;
  }),
  editSql("the text index has other settings", (archive, random) => {
    const to = random.pick(["k = 'x'", "v = 3", "v = 5", "v = 99", "v = 'no'"]);
    archive.run(`UPDATE audit_text_config SET ${to} WHERE k = 'version'`);
    return to;
  }),
  editSql("the structure of the text index", (archive, random) => {
    const to = random.pick(["x''", "zeroblob(9)", "x'00000001'", "CAST('no' AS TEXT)"]);
    archive.run(`UPDATE audit_text_data SET block = ${to} WHERE id = 10`);
    return to;
  }),
];
