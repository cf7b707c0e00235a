import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "./open-database.ts";
import type { DatabaseFormat } from "./schema.ts";
import { nameSqliteError } from "./sqlite-fault.ts";
import { closing, openingId, refusal, type ThreadReply, type ThreadRequest } from "./wire.ts";

/** What a database can be asked, by name. */
export type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>;

type NameError = (path: string, error: unknown) => unknown;

/**
 * The whole of a thread that holds a database: answers one request after the other, in the order in which they came. What goes wrong
 * with one is named by `nameAnswer`.
 */
export function serveDatabase(
  format: DatabaseFormat,
  openHandlers: (db: DatabaseSync) => Handlers,
  nameAnswer?: NameError,
): void {
  const { path } = workerData as { path: string };
  const port = parentPort;
  if (port === null) throw new Error("this runs in a worker thread");

  const answer = (id: number, work: () => unknown, name: NameError = nameSqliteError): void => {
    let reply: ThreadReply;
    try {
      reply = { id, value: work() };
    } catch (error) {
      reply = refusal(id, name(path, error));
    }
    port.postMessage(reply);
  };

  answer(openingId, () => {
    const db = openDatabase(path, format);
    const handlers = openHandlers(db);
    port.on("message", ({ id, op, args }: ThreadRequest) => {
      if (op === closing) {
        answer(id, () => db.close());
        port.close();
        return;
      }
      const work = () => {
        const run = handlers[op];
        if (run === undefined) throw new Error(`there is no ${op}`);
        return run(...(args as never[]));
      };
      answer(id, work, nameAnswer);
    });
  });
}
