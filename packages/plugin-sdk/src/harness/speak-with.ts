import { type Json, parseStrictJson } from "@gatehouse/base";
import type { ActionName } from "@gatehouse/contract";
import {
  actionAnswer,
  actionId,
  actionLimits,
  type BrokerAnswer,
  type BrokerCall,
  brokerCall,
  protocolJsonLimits,
} from "@gatehouse/contract/broker";
import type { ActionEnd, RunningAction } from "@gatehouse/sandbox";

export interface RunCall {
  readonly method: string;
  readonly params: Json;
  /** The result, or the code of the refusal. */
  readonly answer: { readonly result: Json } | { readonly refused: string };
}

export interface Spoken {
  readonly answer?: { readonly result: Json } | { readonly refused: string };
  /** Where the plugin left the protocol; it was ended there. */
  readonly broken?: string;
  readonly calls: readonly RunCall[];
  readonly end: ActionEnd;
}

/** The server's half of the protocol, for one action (docs/plugins/protocol.md). */
export async function speakWith(
  process: RunningAction,
  broker: (action: ActionName, call: BrokerCall) => BrokerAnswer,
  action: ActionName,
  params: Json,
): Promise<Spoken> {
  const calls: RunCall[] = [];
  let answer: Spoken["answer"];
  let broken: string | undefined;

  /** Why this line breaks the protocol; undefined when it does not. */
  const take = (line: string): string | undefined => {
    if (answer !== undefined) return "it wrote something after its answer";
    const read = parseStrictJson(line, protocolJsonLimits);
    if (!read.ok) return `it wrote a line that is not strict JSON: ${read.reason}, at character ${read.at}`;
    const call = brokerCall.safeParse(read.value);
    if (call.success) {
      if (calls.length === actionLimits.brokerCalls)
        return `it made more than ${actionLimits.brokerCalls} broker calls`;
      const reply = broker(action, call.data);
      const { method, params: asked = null } = call.data;
      calls.push({
        method,
        params: asked,
        answer: "error" in reply ? { refused: reply.error.data.code } : { result: reply.result },
      });
      process.send(JSON.stringify(reply));
      return undefined;
    }
    const last = actionAnswer.safeParse(read.value);
    if (!last.success) return "it wrote a message that is neither a broker call nor an answer";
    answer = "result" in last.data ? { result: last.data.result } : { refused: last.data.error.message };
    return undefined;
  };

  process.lines((line) => {
    if (broken !== undefined) return;
    broken = take(line);
    if (broken !== undefined) process.kill(broken);
  });
  process.send(JSON.stringify({ jsonrpc: "2.0", id: actionId, method: action, params }));
  const end = await process.onEnd;
  return { ...(answer === undefined ? {} : { answer }), ...(broken === undefined ? {} : { broken }), calls, end };
}
