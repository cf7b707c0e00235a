import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "./open-database.ts";
import type { DatabaseFormat } from "./schema.ts";
import { nameSqliteError } from "./sqlite-fault.ts";
import { closing, openingId, type Reply, type Request, refusal } from "./wire.ts";

export type Nouns = Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>;

/** The whole of a thread that holds a database: answers one request after the other, in the order in which they came. */
export function serveDatabase(format: DatabaseFormat, openNouns: (db: DatabaseSync) => Nouns): void {
  const { path } = workerData as { path: string };
  const port = parentPort;
  if (port === null) throw new Error("this runs in a worker thread");

  const answer = (id: number, work: () => unknown): void => {
    let reply: Reply;
    try {
      reply = { id, value: work() };
    } catch (error) {
      reply = refusal(id, nameSqliteError(path, error));
    }
    port.postMessage(reply);
  };

  answer(openingId, () => {
    const db = openDatabase(path, format);
    const nouns = openNouns(db);
    port.on("message", ({ id, noun, op, args }: Request) => {
      if (op === closing) {
        answer(id, () => db.close());
        port.close();
        return;
      }
      answer(id, () => {
        const run = nouns[noun]?.[op];
        if (run === undefined) throw new Error(`there is no ${noun}.${op}`);
        return run(...(args as never[]));
      });
    });
  });
}
