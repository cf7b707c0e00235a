import { hostname } from "node:os";
import { systemClock } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import type { AgentPaths } from "../config.ts";
import { systemTimers } from "../host/timers.ts";
import { openAskHelper } from "../local/ask-helper.ts";
import { sayableHostName } from "../local/host-name.ts";
import { exchangeEnrolment } from "./exchange-enrolment.ts";
import { postEnrolment } from "./post-enrolment.ts";

export interface RunExchangeDeps {
  readonly paths: AgentPaths;
  readonly owner: number;
  readonly agentVersion: string;
  /** Where the code comes from: arguments and environment can be seen by others. */
  readonly input: AsyncIterable<Uint8Array | string>;
}

const pauseMs = 3_000;

/** What root starts as the network part during an enrolment. */
export async function runExchange({ paths, owner, agentVersion, input }: RunExchangeDeps): Promise<Report> {
  const found = await exchangeEnrolment(
    {
      paths,
      owner,
      user: process.getuid?.() ?? 0,
      clock: systemClock,
      ask: openAskHelper({ socket: paths.helperSocket, timers: systemTimers }),
      post: postEnrolment,
      pause: () => new Promise((resolve) => systemTimers.after(pauseMs, resolve)),
      agentVersion,
      hostname: sayableHostName(hostname()),
    },
    await readCode(input),
  );
  return { ok: true, lines: [`The server has enrolled ${found.nodeId}.`], json: { ...found } };
}

async function readCode(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = "";
  for await (const part of input) {
    text += typeof part === "string" ? part : Buffer.from(part).toString("utf8");
    // A code is far shorter; more is none, and is judged as such.
    if (text.length > 4_096) break;
  }
  return text.slice(0, 4_096);
}
