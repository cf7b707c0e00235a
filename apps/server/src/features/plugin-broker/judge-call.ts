import { type ActionName, type BrokerMethod, fault, isBrokerMethod } from "@gatehouse/contract";
import { brokerMethods } from "@gatehouse/contract/broker";
import type * as z from "zod";
import type { BrokerPlugin } from "./handlers.ts";

export interface JudgedCall {
  readonly method: BrokerMethod;
  readonly params: unknown;
}

const shown = 200;

/** Whether this plugin may make this call in this action, in the order in which a plugin's author would ask. Pure. */
export function judgeCall(
  { capabilities }: Pick<BrokerPlugin, "capabilities">,
  action: ActionName,
  call: { readonly method: string; readonly params?: unknown },
): JudgedCall {
  const { method } = call;
  if (!isBrokerMethod(method)) throw fault("broker.unknown_method", "there is no such method");
  const spec = brokerMethods[method];
  if (!capabilities.includes(spec.capability)) {
    throw fault("broker.capability_missing", `${method} needs the capability ${spec.capability}`);
  }
  const during: readonly ActionName[] = spec.during;
  if (!during.includes(action))
    throw fault("broker.not_during_plan", `${method} can be called in ${during.join(", ")}`);
  // A call without parameters is one with none: JSON-RPC lets them be left out.
  const read = (spec.params as z.ZodType).safeParse(call.params === undefined ? {} : call.params);
  if (!read.success) throw refuse(read.error.issues[0]);
  return { method, params: read.data };
}

function refuse(issue: z.core.$ZodIssue | undefined): Error {
  const at = ["params", ...(issue?.path ?? [])].map(String).join(".").slice(0, shown);
  const detail = `${at}: ${(issue?.message ?? "").slice(0, shown)}`;
  const isTooLarge = issue?.code === "too_big" && issue.origin === "string";
  return fault(isTooLarge ? "broker.too_large" : "broker.malformed", detail);
}
