import { createHash } from "node:crypto";
import { type Clock, parseStrictJson } from "@gatehouse/base";
import { nodeWords } from "@gatehouse/channel";
import { fault, type FaultCode, faults } from "@gatehouse/contract/faults";
import * as z from "zod";
import { rootOwner } from "../host/need-root.ts";
import type { RunAsAgent } from "../host/run-as-agent.ts";
import type { EnrolHost } from "../parts.ts";
import { beginEnrolment } from "./begin-enrolment.ts";

export interface EnrolPartDeps {
  readonly clock: Clock;
  readonly runAsAgent: RunAsAgent;
}

/** The command that the network part runs for root; it reads the code from its input. */
export const exchangeCommand = "enrol-exchange";

/** Root's half of `enrol`: prepares, lets the part without rights speak, and keeps or undoes by what that part found. */
export function openEnrolHost({ clock, runAsAgent }: EnrolPartDeps): EnrolHost {
  return async ({ paths, code, newIdentity, ca }) => {
    const deps = { paths, owner: rootOwner(paths.root), clock };
    const begun = await beginEnrolment(deps, { code, newIdentity, ...(ca === undefined ? {} : { ca }) });
    try {
      readOutcome(await runAsAgent(paths.binary, [exchangeCommand, "--json"], `${code.trim()}\n`));
      await begun.finish();
    } catch (error) {
      await begun.undo();
      throw error;
    }
    const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
    return { nodeId: begun.nodeId, server: begun.url, words: nodeWords(sha256, begun.nodeId) };
  };
}

const outcomeForm = z.union([
  z.looseObject({ ok: z.literal(true) }),
  z.looseObject({ ok: z.literal(false), error: z.looseObject({ code: z.string(), detail: z.string() }) }),
]);

/** All that root takes from the other part is whether it went well, and which refusal of the table it was. */
function readOutcome(text: string): void {
  const read = parseStrictJson(text.trim());
  const parsed = outcomeForm.safeParse(read.ok ? read.value : undefined);
  if (!parsed.success) throw fault("agent.command_failed", "the network part has printed no outcome");
  if (parsed.data.ok) return;
  const { code, detail } = parsed.data.error;
  if (!Object.hasOwn(faults, code)) throw fault("agent.command_failed", detail.slice(0, 1_000));
  throw fault(code as FaultCode, detail.slice(0, 1_000));
}
