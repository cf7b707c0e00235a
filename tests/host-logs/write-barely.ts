import type { LogBatch } from "@gatehouse/store/telemetry";
import { openDatabase } from "../../packages/store/src/database/open-database.ts";
import { createLogPart, logPartTables } from "../../packages/store/src/telemetry/log-tables.ts";
import { telemetryFormat } from "../../packages/store/src/telemetry/telemetry-format.ts";

export interface BareLogs {
  write(batch: LogBatch): void;
  close(): void;
}

/** The same tables and settings, and nothing around them: no thread, no port, no words that are cut here, no names that are looked up. */
export function openBareLogs(path: string): BareLogs {
  const db = openDatabase(path, telemetryFormat);
  for (const sql of createLogPart(1)) db.exec(sql);
  const { lines: table, text, spans, counts } = logPartTables(1);
  const addLine = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)`);
  const addText = db.prepare(`INSERT INTO ${text} (rowid, words) VALUES (?, ?)`);
  const addSpan = db.prepare(`INSERT OR REPLACE INTO ${spans} VALUES (?, ?, ?)`);
  const addCount = db.prepare(`INSERT INTO ${counts} VALUES (?, ?, 1, ?, ?, 1)
    ON CONFLICT (unit, start, node, source, kind) DO UPDATE SET lines = lines + 200`);
  const saveMark = db.prepare("INSERT OR REPLACE INTO log_marks VALUES (?, ?, ?)");
  let id = 0;
  return {
    write: ({ node, lines, checkpoint }) => {
      db.exec("BEGIN IMMEDIATE");
      for (const { at, level, text: words } of lines) {
        id += 1;
        addLine.run(id, 1, id % 3, at, level ?? null, words);
        // The words that say what it is of, as ours writes them.
        addText.run(id, `${words} §1 ¶${id % 3} °${level}`);
      }
      const at = lines[0]?.at ?? 0;
      addSpan.run(Math.floor(id / 1_024), at, at);
      for (const unit of [3_600_000, 600_000, 60_000]) {
        for (const source of [0, 1, 2]) addCount.run(unit, Math.floor(at / unit), source, 6);
      }
      saveMark.run(node, at, checkpoint);
      db.exec("COMMIT");
    },
    close: () => db.close(),
  };
}
