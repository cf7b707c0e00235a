import type { DatabaseSync } from "node:sqlite";
import { cutWords, isPlainText } from "../cut-words.ts";
import type { FitLogBatch, NewLogRow } from "./log-batch.ts";
import { countUnits, kindOf, linesCounted } from "./log-counts.ts";
import { NodeSources } from "./node-sources.ts";
import { minuteMs } from "./pack-hour.ts";
import { logPartTables, logTokens, spanLines } from "./log-tables.ts";

/** Writes a batch behind `lines` rows of a part. */
export type WriteLogPart = (batch: FitLogBatch, lines: number) => void;

/** More than a fleet has; then they are looked up again. */
const knownNames = 20_000;

/** Within a transaction; when that ends badly, this knows names that are not there, and must not be used again. */
export function openLogPartWriter(db: DatabaseSync, part: number): WriteLogPart {
  const tables = logPartTables(part);
  const addLine = db.prepare(`INSERT INTO ${tables.lines} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const addText = db.prepare(`INSERT INTO ${tables.text} (rowid, words) VALUES (?, ?)`);
  const addSpan = db.prepare(`INSERT INTO ${tables.spans} VALUES (?, ?, ?) ON CONFLICT (span) DO UPDATE
    SET oldest = min(oldest, excluded.oldest), newest = max(newest, excluded.newest)`);
  const addCount = db.prepare(`INSERT INTO ${tables.counts} VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (unit, start, node, source, kind)
    DO UPDATE SET lines = min(lines + excluded.lines, ${Number.MAX_SAFE_INTEGER})`);
  const findName = db.prepare(`SELECT id FROM ${tables.names} WHERE name = ?`);
  const addName = db.prepare(`INSERT INTO ${tables.names} (name) VALUES (?) RETURNING id`);
  const known = new Map<string, number>();
  const sources = new NodeSources(readSources(db, part));

  const idOf = (name: string): number => {
    const id = known.get(name) ?? Number((findName.get(name) ?? addName.get(name))?.["id"]);
    if (known.size >= knownNames) known.clear();
    known.set(name, id);
    return id;
  };
  return ({ node: name, rows }, lines) => {
    const node = idOf(name);
    const spans = new Map<number, { oldest: number; newest: number }>();
    const minutes = new Map<string, CountedRows>();
    for (const [n, row] of rows.entries()) {
      const id = lines + 1 + n;
      const { source: sourceName, at, level, text, dropped } = row;
      const source = idOf(sources.nameOf(name, sourceName));
      addLine.run(id, node, source, at, level ?? null, text, dropped?.from ?? null, dropped?.lines ?? null);
      addText.run(id, indexedText(row, node, source));
      const span = Math.floor(id / spanLines);
      const known = spans.get(span) ?? { oldest: at, newest: at };
      spans.set(span, { oldest: Math.min(known.oldest, at), newest: Math.max(known.newest, at) });
      addRows(minutes, {
        at: Math.floor(at / minuteMs) * minuteMs,
        source,
        kind: kindOf(row),
        lines: linesCounted(row),
      });
    }
    for (const [span, { oldest, newest }] of spans) addSpan.run(span, oldest, newest);
    for (const unit of countUnits) {
      const units = new Map<string, CountedRows>();
      for (const rows of minutes.values()) addRows(units, { ...rows, at: Math.floor(rows.at / unit) * unit });
      for (const { at, source, kind, lines } of units.values()) {
        addCount.run(unit, at / unit, node, source, kind, lines);
      }
    }
  };
}

/** Those that the part has lines of: every line is counted by the hour. */
function* readSources(db: DatabaseSync, part: number): Generator<readonly [node: string, source: string]> {
  const { counts, names } = logPartTables(part);
  const found = db.prepare(`SELECT n.name AS node, s.name AS source
    FROM (SELECT DISTINCT node, source FROM ${counts} WHERE unit = ?) AS c
    JOIN ${names} AS n ON n.id = c.node JOIN ${names} AS s ON s.id = c.source`);
  for (const { node, source } of found.iterate(countUnits[0])) yield [String(node), String(source)];
}

interface CountedRows {
  readonly at: number;
  readonly source: number;
  readonly kind: number;
  readonly lines: number;
}

/** To those of the same time, source and kind. */
function addRows(sums: Map<string, CountedRows>, rows: CountedRows): void {
  const key = `${rows.at} ${rows.source} ${rows.kind}`;
  const before = sums.get(key)?.lines ?? 0;
  sums.set(key, { ...rows, lines: before + rows.lines });
}

function indexedText({ text, level }: NewLogRow, node: number, source: number): string {
  // The tokenizer cuts a plain text where `cutWords` does, and faster.
  const words = isPlainText(text) ? text : cutWords(text).join(" ");
  const levelToken = level === undefined ? "" : ` ${logTokens.level(level)}`;
  return `${words} ${logTokens.node(node)} ${logTokens.source(source)}${levelToken}`;
}
