import { parentPort, workerData } from "node:worker_threads";
import { openNouns } from "./nouns.ts";
import { openDatabase } from "./open-database.ts";
import { nameSqliteError } from "./sqlite-fault.ts";
import { closing, openingId, type Reply, type Request, refusal } from "./wire.ts";

/** The thread that holds `logs.db`: answers one request after the other, in the order in which they came. */
const { path } = workerData as { path: string };
const port = parentPort;
if (port === null) throw new Error("this file runs as a worker thread");

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
  const db = openDatabase(path);
  const nouns: Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>> = openNouns(db);
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
