import type { DatabaseSync } from "node:sqlite";

/** All of `work` or nothing. `DEFERRED` suffices for temporary tables; what writes the file takes its lock first. */
export function transaction<T>(db: DatabaseSync, mode: "DEFERRED" | "IMMEDIATE", work: () => T): T {
  db.exec(`BEGIN ${mode}`);
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    // Some errors, a full disk among them, have rolled back already.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
