import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { fault } from "@gatehouse/contract/faults";
import type { SchemaName } from "./audit-schema.ts";
import type { GroupSpan, Holding } from "./continuity.ts";

/** The audit tables of one connection, and the statements prepared on it. */
export interface AuditStatements {
  readonly db: DatabaseSync;
  /** Each text is prepared once. Texts come from fixed shapes, so there are few. */
  readonly sql: (text: string) => StatementSync;
  /** Runs a statement that changes something. */
  readonly run: (text: string, ...values: SQLInputValue[]) => void;
  readonly holding: () => Holding;
}

export function auditStatements(db: DatabaseSync): AuditStatements {
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = db.prepare(text);
      prepared.set(text, statement);
    }
    return statement;
  };
  const run = (text: string, ...values: SQLInputValue[]): void => {
    const statement = sql(text);
    // FTS5 leaves row ids behind that no JavaScript number holds, and `run` reports the last one.
    statement.setReadBigInts(true);
    statement.run(...values);
  };
  return { db, sql, run, holding: () => readHolding(sql) };
}

function readHolding(sql: AuditStatements["sql"]): Holding {
  const meta = sql("SELECT position, link, pruned FROM main.audit_meta").get() as unknown as Meta | undefined;
  if (meta === undefined) throw fault("store.archive_damaged", "logs.db: the row with the archive's head is missing");
  const groupIn = (schema: SchemaName, position: number): GroupSpan | undefined => {
    const text = `SELECT first, count, link FROM ${schema}.audit_groups WHERE first <= ? ORDER BY first DESC LIMIT 1`;
    const group = sql(text).get(position) as unknown as GroupSpan | undefined;
    return group !== undefined && position < group.first + group.count ? group : undefined;
  };
  const end = sql("SELECT first + count - 1 AS last FROM temp.audit_groups ORDER BY first DESC LIMIT 1").get();
  return {
    archived: { position: meta.position, link: meta.link },
    pruned: meta.pruned,
    last: end === undefined ? meta.position : (end["last"] as number),
    groupAt: (position) => groupIn(position > meta.position ? "temp" : "main", position),
  };
}

interface Meta {
  readonly position: number;
  readonly link: string;
  readonly pruned: number;
}
