import type { Json } from "@gatehouse/base";
import { type ActionName, brokerFaults, type BrokerFaultCode, fault, isFault } from "@gatehouse/contract";
import { actionLimits, type BrokerAnswer, type BrokerCall, brokerErrorNumber } from "@gatehouse/contract/broker";
import type { Log } from "../../platform/log/index.ts";
import type { BrokerCaller, BrokerHandlers, BrokerPlugin } from "./handlers.ts";
import { judgeCall } from "./judge-call.ts";
import { type CallTally, openTally } from "./tally.ts";

/** The broker for the length of one action. */
export interface BrokerAction {
  /** Answers a call with the line to send, without its line feed. Never throws. */
  answer(call: Pick<BrokerCall, "id" | "method" | "params">): Promise<string>;
  /** From now on every call is refused, also those under way. */
  end(): void;
  calls(): readonly CallTally[];
}

export interface BeginActionOptions {
  readonly handlers: BrokerHandlers;
  readonly log: Log;
  readonly plugin: BrokerPlugin;
  readonly action: ActionName;
  /** Aborted when the plugin is detached. */
  readonly attached: AbortSignal;
}

const messageCharacters = 1_000;

export function beginAction({ handlers, log, plugin, action, attached }: BeginActionOptions): BrokerAction {
  const ending = new AbortController();
  const signal = AbortSignal.any([attached, ending.signal]);
  const { promise: gone, reject } = Promise.withResolvers<never>();
  // Told to those who wait, and to nobody when nobody does.
  gone.catch(() => undefined);
  const detach = () => reject(detached());
  signal.addEventListener("abort", detach, { once: true });
  if (signal.aborted) detach();

  const tally = openTally();
  let made = 0;

  const perform = async (call: Pick<BrokerCall, "method" | "params">, noteHost: (host: string) => void) => {
    if (signal.aborted) throw detached();
    if (made > actionLimits.brokerCalls) {
      throw fault("broker.too_many_calls", `an action makes at most ${actionLimits.brokerCalls} calls`);
    }
    const { method, params } = judgeCall(plugin, action, call);
    const handle = handlers[method] as (caller: BrokerCaller, params: unknown) => Promise<Json>;
    return Promise.race([handle({ plugin, action, signal, noteHost }, params), gone]);
  };

  const refuse = (method: string, error: unknown): { code: BrokerFaultCode; message: string } => {
    if (isFault(error) && isBrokerCode(error.code)) return { code: error.code, message: error.detail };
    log.error("a broker call failed", { plugin: plugin.id, method }, error);
    return { code: "broker.failed", message: brokerFaults["broker.failed"].title };
  };

  return {
    answer: async ({ id, method, params }) => {
      made += 1;
      let host: string | undefined;
      const asked = params === undefined ? 0 : Buffer.byteLength(JSON.stringify(params));
      const count = (isRefused: boolean, answered: number) =>
        tally.add({ method, host, isRefused, bytes: asked + answered });
      try {
        const result = await perform({ method, params }, (noted) => {
          host = noted;
        });
        const line = JSON.stringify({ jsonrpc: "2.0", id, result } satisfies BrokerAnswer);
        count(false, Buffer.byteLength(line));
        return line;
      } catch (error) {
        count(true, 0);
        const { code, message } = refuse(method, error);
        const told = { code: brokerErrorNumber(code), message: message.slice(0, messageCharacters), data: { code } };
        return JSON.stringify({ jsonrpc: "2.0", id, error: told } satisfies BrokerAnswer);
      }
    },
    end: () => ending.abort(),
    calls: () => tally.rows(),
  };
}

function detached(): Error {
  return fault("broker.detached", "the plugin was detached, or its action has ended");
}

function isBrokerCode(code: string): code is BrokerFaultCode {
  return Object.hasOwn(brokerFaults, code);
}
