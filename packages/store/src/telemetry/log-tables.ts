/** What belongs to no part. */
export const logSchema: readonly string[] = [
  `CREATE TABLE log_parts (part INTEGER PRIMARY KEY, base INTEGER NOT NULL, lines INTEGER NOT NULL, oldest INTEGER NOT NULL,
    newest INTEGER NOT NULL, day INTEGER NOT NULL, arrived INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT`,
  // The highest id of the parts that are gone.
  `CREATE TABLE log_ids (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL) STRICT`,
  `INSERT INTO log_ids VALUES (1, 0)`,
  `CREATE TABLE log_marks (node TEXT PRIMARY KEY, at INTEGER NOT NULL, checkpoint TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE INDEX log_marks_by_time ON log_marks (at)`,
];

/** Lines for which one row of `log_spans` speaks. */
export const spanLines = 1_024;

/** The tables of one part. Names of nodes and sources are in it too, so that nothing outlives it that a host made up. */
export function logPartTables(part: number) {
  return {
    names: `log_names_${part}`,
    lines: `log_lines_${part}`,
    text: `log_text_${part}`,
    spans: `log_spans_${part}`,
    counts: `log_counts_${part}`,
  } as const;
}

/**
 * Words come from `cut-words.ts`, so the tokenizer has nothing to do but cut at spaces. `detail=full` because addresses and paths are
 * phrases; no index of beginnings, which would cost half of the speed of writing (decision 0021).
 */
const textOptions = `words, tokenize='ascii', content='', columnsize=0, detail=full`;

export function createLogPart(part: number): readonly string[] {
  const { names, lines, text, spans, counts } = logPartTables(part);
  return [
    `CREATE TABLE ${names} (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT`,
    // `since` is set for a note of lines that were left out, and `lost` where somebody counted them.
    `CREATE TABLE ${lines} (id INTEGER PRIMARY KEY, node INTEGER NOT NULL, source INTEGER NOT NULL, at INTEGER NOT NULL,
      level INTEGER, text TEXT NOT NULL, since INTEGER, lost INTEGER) STRICT`,
    `CREATE VIRTUAL TABLE ${text} USING fts5(${textOptions})`,
    // Merged twice as seldom as by default: a search looks into a few more pieces, and writing is faster by a third.
    `INSERT INTO ${text} (${text}, rank) VALUES ('automerge', 8)`,
    // The index by time: nearly the order of arrival, so that it turns a stretch of time into one of ids.
    `CREATE TABLE ${spans} (span INTEGER PRIMARY KEY, oldest INTEGER NOT NULL, newest INTEGER NOT NULL) STRICT`,
    `CREATE TABLE ${counts} (unit INTEGER NOT NULL, start INTEGER NOT NULL, node INTEGER NOT NULL, source INTEGER NOT NULL,
      kind INTEGER NOT NULL, lines INTEGER NOT NULL, PRIMARY KEY (unit, start, node, source, kind)) STRICT, WITHOUT ROWID`,
  ];
}

export function dropLogPart(part: number): readonly string[] {
  return Object.values(logPartTables(part)).map((table) => `DROP TABLE ${table}`);
}

/** Words of the index that no text has, because these signs are in no word: what a row is of. */
export const logTokens = {
  node: (id: number) => `§${id}`,
  source: (id: number) => `¶${id}`,
  level: (level: number) => `°${level}`,
} as const;
