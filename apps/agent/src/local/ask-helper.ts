import { connect } from "node:net";
import { type JsonObject, parseStrictJsonBytes } from "@gatehouse/base";
import { fault, type FaultCode, faults } from "@gatehouse/contract/faults";
import * as z from "zod";
import type { Timers } from "../host/timers.ts";
import { openLimited } from "./limited.ts";
import { localLimits } from "./local-limits.ts";
import { openLocalMessages, packLocalMessage } from "./local-messages.ts";

/** Everything that can be asked; the helper has a row for each and for nothing else. */
export type HelperVerbName =
  | "identity"
  | "ceiling"
  | "status"
  | "enrol.sign"
  | "channel.sign"
  | "state.read"
  | "log.read"
  | "task.submit"
  | "blob.put"
  | "journal.read"
  | "probe.get"
  | "probe.proof"
  | "head.put"
  | "head.get";

/** Asks the root part one thing. */
export type AskHelper = (verb: HelperVerbName, fields?: JsonObject) => Promise<JsonObject>;

export interface AskHelperDeps {
  readonly socket: string;
  readonly timers: Timers;
}

/** Long enough for a start of the helper that has to hash its own program, and for a question about the host that takes its time. */
const answerMs = 20_000;

const answerForm = z.discriminatedUnion("ok", [
  z.looseObject({ v: z.literal(1), id: z.literal(1), ok: z.literal(true) }),
  z.strictObject({ v: z.literal(1), id: z.int(), ok: z.literal(false), code: z.string(), detail: z.string() }),
]);

/** A connection for every question: the helper may end between two, and systemd starts it for the next. */
export function openAskHelper({ socket: path, timers }: AskHelperDeps): AskHelper {
  const limited = openLimited(localLimits.questionsAtOnce);
  const ask: AskHelper = async (verb, fields = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const unavailable = (why: string) => reject(fault("local.unavailable", `${path}: ${why}`));
    const reader = openLocalMessages(localLimits.answerBytes);
    const socket = connect({ path });
    const stop = timers.after(answerMs, () => unavailable("no answer in time"));
    socket.on("connect", () => socket.write(packLocalMessage({ ...fields, v: 1, id: 1, verb })));
    socket.on("data", (chunk: Buffer) => {
      try {
        const [first] = reader.push(chunk);
        if (first !== undefined) resolve(first);
      } catch {
        unavailable("the answer has no form of one");
      }
    });
    socket.on("error", (error) => unavailable((error as NodeJS.ErrnoException).code ?? error.message));
    socket.on("close", () => unavailable("it was closed before the answer"));
    try {
      return readAnswer(await promise, path);
    } finally {
      stop();
      socket.destroy();
    }
  };
  return (verb, fields) => limited(() => ask(verb, fields));
}

function readAnswer(bytes: Uint8Array, path: string): JsonObject {
  const read = parseStrictJsonBytes(bytes);
  const parsed = read.ok ? answerForm.safeParse(read.value) : undefined;
  if (parsed?.success !== true) throw fault("local.unavailable", `${path}: the answer has no form of one`);
  const answer = parsed.data;
  if (!answer.ok) {
    if (!Object.hasOwn(faults, answer.code)) throw fault("local.unavailable", `${path}: an unknown refusal`);
    throw fault(answer.code as FaultCode, answer.detail);
  }
  const { v: _, id: __, ok: ___, ...rest } = answer;
  return rest as JsonObject;
}
