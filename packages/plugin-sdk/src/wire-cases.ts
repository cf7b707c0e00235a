import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type ActionName, capabilityNames } from "@gatehouse/contract";
import { type ActionAnswer, actionAnswer, actionRequest, brokerCall, type PlanNode } from "@gatehouse/contract/broker";
import { childEnvironment } from "../../../tests/support/child-environment.ts";
import { openMemoryBroker } from "./harness/memory-broker.ts";

export interface WireRun {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly calls: readonly { readonly method: string; readonly params: unknown }[];
  readonly code: number | null;
  readonly stderr: string;
}

interface WireQuestion {
  readonly input?: unknown;
  readonly nodes?: readonly PlanNode[];
  readonly store?: Map<string, string>;
}

/**
 * The server's side of the protocol in small: starts a program for one action, answers its calls from a table in memory, and
 * holds every line against the contract's schemas. It has no sandbox and no limits; the harness has.
 */
export async function runOnWire(
  command: readonly [string, ...string[]],
  action: ActionName,
  { input = null, nodes = [], store = new Map<string, string>() }: WireQuestion = {},
): Promise<WireRun> {
  const child = spawn(command[0], [...command.slice(1), action], { stdio: "pipe", env: childEnvironment() });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  let stderr = "";
  child.stderr.on("data", (part: Buffer) => {
    stderr += part.toString();
  });
  // A plugin that has left does not read what was sent last.
  child.stdin.on("error", () => undefined);
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const broker = openMemoryBroker({ capabilities: capabilityNames, store });
  const calls: { method: string; params: unknown }[] = [];
  let answer: ActionAnswer | undefined;
  send(
    actionRequest.parse({ jsonrpc: "2.0", id: 0, method: action, params: action === "plan" ? { input, nodes } : {} }),
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as { id: number };
    if (answer !== undefined) throw new Error(`a line after the answer: ${line}`);
    if (message.id === 0) {
      answer = actionAnswer.parse(message);
      continue;
    }
    const call = brokerCall.parse(message);
    calls.push({ method: call.method, params: call.params });
    send(broker(action, call));
  }
  return { ...answer, calls, code: await closed, stderr };
}
