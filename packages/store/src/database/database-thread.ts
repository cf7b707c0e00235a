import { type Transferable, Worker } from "node:worker_threads";
import { fault } from "@gatehouse/contract/faults";
import { closing, errorOf, openingId, type ThreadReply, type ThreadRequest } from "./wire.ts";

export interface DatabaseThreadOptions {
  /** Where the database is, or will be. Its directory exists. */
  readonly path: string;
  /** Told once when the thread ends though nobody closed it. Every call is refused from then on. */
  readonly onDeath?: (error: Error) => void;
}

/** What runs in the thread: a file that calls `serveDatabase`, and the name people see it under. */
export interface DatabaseProgram {
  readonly file: URL;
  readonly name: string;
}

type Handler<Handlers, O extends keyof Handlers> = Extract<Handlers[O], (...args: never[]) => unknown>;

/** The door to a database: one thread, one file. `Handlers` is what its program answers. */
export interface DatabaseThread<Handlers> {
  call<O extends keyof Handlers & string>(
    op: O,
    args: Parameters<Handler<Handlers, O>>,
    transfer?: readonly Transferable[],
  ): Promise<ReturnType<Handler<Handlers, O>>>;
  /** Answers what was asked before, closes the database and ends the thread. */
  close(): Promise<void>;
  /** Ends the thread where it stands, as a crash would. */
  kill(): Promise<void>;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

export async function openDatabaseThread<Handlers>(
  program: DatabaseProgram,
  options: DatabaseThreadOptions,
): Promise<DatabaseThread<Handlers>> {
  const worker = new Worker(program.file, {
    workerData: { path: options.path },
    name: program.name,
    env: threadEnvironment(),
  });
  const waiting = new Map<number, Waiting>();
  let lastId = openingId;
  let closed: Promise<void> | undefined;
  let death: Error | undefined;
  let opened = false;

  const ended = new Promise<void>((resolve) => {
    worker.on("exit", (code) => {
      die(new Error(`the thread of ${options.path} ended with code ${code}`));
      resolve();
    });
  });
  const die = (cause: Error): void => {
    if (death !== undefined) return;
    death = fault("store.closed", `the thread of ${options.path} has ended: ${cause.message}`, { cause });
    for (const { reject } of waiting.values()) reject(death);
    waiting.clear();
    if (opened && closed === undefined) options.onDeath?.(death);
  };
  worker.on("error", (error) => die(error as Error));
  worker.on("messageerror", (error) => {
    die(error);
    void worker.terminate();
  });
  worker.on("message", (reply: ThreadReply) => {
    const asker = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) worker.unref(); // an idle thread does not keep the process alive
    if (asker === undefined) return;
    if ("value" in reply) asker.resolve(reply.value as never);
    else asker.reject(errorOf(reply));
  });

  const expect = <T>(id: number): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.ref();
    });
  const send = <T>(request: Omit<ThreadRequest, "id">, transfer: readonly Transferable[] = []): Promise<T> => {
    if (death !== undefined) return Promise.reject(death);
    lastId += 1;
    const reply = expect<T>(lastId);
    worker.postMessage({ ...request, id: lastId }, transfer);
    return reply;
  };
  const close = async (): Promise<void> => {
    if (death === undefined) await send({ op: closing, args: [] });
    worker.ref();
    await ended;
  };

  await expect<void>(openingId).catch(async (error: unknown) => {
    closed = worker.terminate().then(() => undefined);
    await closed;
    throw error;
  });
  opened = true;
  return {
    call: (op, args, transfer) =>
      closed === undefined
        ? send({ op, args }, transfer)
        : Promise.reject(fault("store.closed", `${options.path} is closed`)),
    close: () => (closed ??= close()),
    kill: async () => {
      await worker.terminate();
    },
  };
}

/** None of the server's settings; only where Node keeps compiled sources, or every start would compile them again. */
function threadEnvironment(): Record<string, string> {
  const cache = process.env["NODE_COMPILE_CACHE"];
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };
}
