import { type Json, parseStrictJson } from "@gatehouse/base";
import type { ActionName } from "@gatehouse/contract";
import { actionAnswer, actionId, actionLimits, brokerCall, protocolJsonLimits } from "@gatehouse/contract/broker";

/** One process that answers one action. */
export interface ActionProcess {
  send(line: string): void;
  /** Whole lines of standard output, without their line feed. */
  onLine(listener: (line: string) => void): void;
  readonly ended: Promise<ProcessEnd>;
  /** Ends the whole process group. */
  kill(): void;
}

export interface ProcessEnd {
  /** A sentence: `it ended with 0`, `it did not end within 10000 ms`. */
  readonly how: string;
  readonly isClean: boolean;
  /** The last of what it wrote to standard error, made printable. */
  readonly stderr: string;
}

/** What stands between the plugin and the server for the length of one action. */
export interface ActionBroker {
  /** Answers a call with the line to send; never throws. */
  answer(call: { readonly id: number; readonly method: string; readonly params?: Json | undefined }): Promise<string>;
  /** From now on nothing is answered. */
  end(): void;
}

/** What a process said, held to the protocol; not yet what its action may say. */
export type SessionOutcome =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly reason: string; readonly stderr: string };

/**
 * Speaks the protocol with one process: asks, answers its calls, takes one answer. Whatever does not keep to the protocol
 * ends the process: a plugin that is confused or hostile is not argued with.
 */
export async function runSession(
  { process, broker }: { readonly process: ActionProcess; readonly broker: ActionBroker },
  action: ActionName,
  params: Json,
): Promise<SessionOutcome> {
  const session = new Session(process, broker);
  process.onLine((line) => session.take(line));
  process.send(JSON.stringify({ jsonrpc: "2.0", id: actionId, method: action, params }));
  const end = await process.ended;
  broker.end();
  return session.outcome(end);
}

class Session {
  readonly #process: ActionProcess;
  readonly #broker: ActionBroker;
  readonly #open = new Set<number>();
  #calls = 0;
  #answer: { readonly result: Json } | { readonly refused: string } | undefined;
  #broken: string | undefined;

  constructor(process: ActionProcess, broker: ActionBroker) {
    this.#process = process;
    this.#broker = broker;
  }

  take(line: string): void {
    if (this.#broken !== undefined) return;
    const flaw = this.#judge(line);
    if (flaw === undefined) return;
    this.#broken = flaw;
    // Access ends before the process does.
    this.#broker.end();
    this.#process.kill();
  }

  outcome({ how, isClean, stderr }: ProcessEnd): SessionOutcome {
    const fail = (reason: string): SessionOutcome => ({ ok: false, reason, stderr });
    if (this.#broken !== undefined) return fail(this.#broken);
    if (!isClean) return fail(how);
    if (this.#answer === undefined) return fail(`${how}, and gave no answer`);
    return "result" in this.#answer ? { ok: true, result: this.#answer.result } : fail(this.#answer.refused);
  }

  /** Why this line breaks the protocol; undefined when it does not. */
  #judge(line: string): string | undefined {
    if (this.#answer !== undefined) return "it wrote something after its answer";
    const read = parseStrictJson(line, protocolJsonLimits);
    if (!read.ok) return `it wrote a line that is not strict JSON: ${read.reason}, at character ${read.at}`;
    const call = brokerCall.safeParse(read.value);
    if (call.success) return this.#takeCall(call.data);
    const answer = actionAnswer.safeParse(read.value);
    if (!answer.success) return "it wrote a message that is neither a broker call nor an answer";
    const { data } = answer;
    this.#answer =
      "result" in data ? { result: data.result } : { refused: `it answered with an error: ${data.error.message}` };
    return undefined;
  }

  #takeCall(call: { id: number; method: string; params?: Json | undefined }): string | undefined {
    if (this.#open.has(call.id)) return `it used the call id ${call.id} twice`;
    this.#calls += 1;
    if (this.#calls > actionLimits.brokerCalls) return `it made more than ${actionLimits.brokerCalls} broker calls`;
    this.#open.add(call.id);
    void this.#broker.answer(call).then((line) => {
      this.#open.delete(call.id);
      if (this.#broken === undefined) this.#process.send(line);
    });
    return undefined;
  }
}
