import * as z from "zod";
import type { BrokerFaultCode } from "../broker-faults.ts";
import { anyJson } from "./any-json.ts";
import { planQuestion } from "./plan-question.ts";

/**
 * The wire between server and plugin: JSON-RPC 2.0, one object per line over standard input and output, no batches. Every
 * message is closed: a field that is not here is refused. docs/plugins/protocol.md says the same in words, for any language.
 */
const jsonrpc = z.literal("2.0");

/** The action's own id. Calls of the plugin count from 1, so that no call can be mistaken for the answer. */
export const actionId = 0;
export const callId = z.int().min(1).max(2_147_483_647);

/**
 * How much structure one line may hold: 10,000 sections of a firewall with eight rules beside the ground ones. Its bytes are bounded
 * by the caps on input and output.
 */
export const protocolJsonLimits = { depth: 32, keys: 1_000_000, items: 1_000_000 } as const;

/** Server → plugin, first line. */
export const actionRequest = z.discriminatedUnion("method", [
  z.strictObject({ jsonrpc, id: z.literal(actionId), method: z.literal("describe"), params: z.strictObject({}) }),
  z.strictObject({ jsonrpc, id: z.literal(actionId), method: z.literal("health"), params: z.strictObject({}) }),
  z.strictObject({
    jsonrpc,
    id: z.literal(actionId),
    method: z.literal("plan"),
    params: planQuestion,
  }),
]);
export type ActionRequest = z.output<typeof actionRequest>;

const errorText = z.string().max(4_000);

/** Plugin → server, last line: the answer. The result's form depends on the action; the runtime checks it. */
export const actionAnswer = z.union([
  z.strictObject({ jsonrpc, id: z.literal(actionId), result: anyJson }),
  z.strictObject({
    jsonrpc,
    id: z.literal(actionId),
    error: z.strictObject({ code: z.int(), message: errorText, data: anyJson.optional() }),
  }),
]);
export type ActionAnswer = z.output<typeof actionAnswer>;

/** Plugin → server: a broker call. `method` and `params` are judged by the broker, so that a wrong call is answered, not fatal. */
export const brokerCall = z.strictObject({
  jsonrpc,
  id: callId,
  method: z.string().min(1).max(64),
  params: anyJson.optional(),
});
export type BrokerCall = z.output<typeof brokerCall>;

/** Server → plugin: the answer to a broker call. */
export const brokerAnswer = z.union([
  z.strictObject({ jsonrpc, id: callId, result: anyJson }),
  z.strictObject({
    jsonrpc,
    id: callId,
    error: z.strictObject({
      code: z.int(),
      message: errorText,
      data: z.strictObject({ code: z.string().startsWith("broker.") }),
    }),
  }),
]);
export type BrokerAnswer = z.output<typeof brokerAnswer>;

/** What JSON-RPC wants as a number. The code that says something is the dotted one. */
export function brokerErrorNumber(code: BrokerFaultCode): number {
  if (code === "broker.unknown_method") return -32_601;
  return code === "broker.malformed" ? -32_602 : -32_000;
}
