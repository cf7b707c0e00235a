/** The durable tables are in schema `main`, those of the tail in `temp`, under the same names. */
export type SchemaName = "main" | "temp";

/** Positions for which one row of `audit_spans` speaks. */
export const spanSize = 1_024;

/**
 * Words come from `text.ts`, so the tokenizer has nothing to do but cut at spaces: `ascii` keeps every other character.
 * `detail=none` and no content: the index only answers "which positions", newest first, and is never asked to rank.
 * One to three letters, as typed into a search box, have an index of their own; longer ones match few words.
 */
const textOptions = `words, tokenize='ascii', content='', contentless_delete=1, detail=none, prefix='1 2 3'`;

function groups(schema: SchemaName): string {
  const columns = "first INTEGER PRIMARY KEY, count INTEGER NOT NULL, changes_hash TEXT NOT NULL, link TEXT NOT NULL";
  return `CREATE TABLE ${schema}.audit_groups (${columns})`;
}

/** `public` is the exact JSON text of the entry; the other columns are copies for searching. */
const entryColumns = `position INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
  subject TEXT NOT NULL, public TEXT NOT NULL`;

function text(schema: SchemaName): string[] {
  return [
    `CREATE VIRTUAL TABLE ${schema}.audit_text USING fts5(${textOptions})`,
    `INSERT INTO ${schema}.audit_text (audit_text, rank) VALUES ('hashsize', 16777216)`,
  ];
}

/** One for each field that search can go by. */
export const auditIndexes: ReadonlyMap<string, string> = new Map(
  ["actor", "action", "subject"].map((column) => [
    `audit_${column}`,
    `CREATE INDEX main.audit_${column} ON audit_entries (${column})`,
  ]),
);

/** The rows of `audit_spans` for entries of a schema. */
export const spansOf = (schema: SchemaName): string =>
  `SELECT position / ${spanSize} AS span, min(at), max(at) FROM ${schema}.audit_entries`;

/**
 * The indexes need no second column: SQLite ends each with the position. `audit_spans` is the index by time: the
 * earliest and latest `at` of each run of positions. Times nearly follow positions, so it turns a range of time into a
 * range of positions, which every other index can use as well.
 */
export const auditArchiveSchema: readonly string[] = [
  groups("main"),
  `CREATE TABLE main.audit_entries (${entryColumns})`,
  ...auditIndexes.values(),
  ...text("main"),
  `CREATE TABLE main.audit_spans (span INTEGER PRIMARY KEY, earliest INTEGER NOT NULL, latest INTEGER NOT NULL)`,
  `CREATE TABLE main.audit_meta (
    id INTEGER PRIMARY KEY CHECK (id = 1), position INTEGER NOT NULL, link TEXT NOT NULL, pruned INTEGER NOT NULL)`,
  `INSERT INTO main.audit_meta VALUES (1, 0, '${"0".repeat(64)}', 0)`,
];

/**
 * The tail is as long as the log at most, and in memory: a look at every entry takes milliseconds, so the indexes by
 * field are made once, in the archive. `words` saves a second look at each entry when it is archived.
 */
export const auditTailSchema: readonly string[] = [
  groups("temp"),
  `CREATE TABLE temp.audit_entries (${entryColumns}, words TEXT NOT NULL)`,
  ...text("temp"),
];
