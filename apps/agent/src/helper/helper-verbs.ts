import { createHash } from "node:crypto";
import { byteForm, type JsonObject } from "@gatehouse/base";
import { ceilingFrame, encodeBase64url } from "@gatehouse/channel";
import { fault, type FaultCode } from "@gatehouse/contract/faults";
import * as z from "zod";
import { signChannelKey, channelFields } from "./sign-channel-key.ts";
import { enrolFields, signEnrolment } from "./sign-enrolment.ts";
import type { HelperDeps } from "./helper-deps.ts";
import type { HelperVerbName } from "../local/ask-helper.ts";
import { findHostIdentity, getHostIdentity } from "../local/host-key.ts";
import { getHead, headFields, putHead } from "./keep-head.ts";
import { getProbe, proofFields, takeProof } from "./prove-change.ts";
import { journalFields, readJournal } from "./read-journal.ts";
import { logFields, readLogs } from "./read-logs.ts";
import { signFacts } from "./sign-facts.ts";
import { signState, stateFields } from "./sign-state.ts";
import { blobFields, putBlob, submitTask, taskFields } from "./submit-task.ts";

/** One thing that the network part may ask for. */
interface HelperVerb {
  /** Closed: a field that the verb does not know is refused. */
  readonly fields: z.ZodObject;
  /** How it calls fields of another form; without one it is a broken message. */
  readonly malformed?: FaultCode;
  readonly run: (deps: HelperDeps, fields: never) => Promise<JsonObject>;
}

const none = z.strictObject({});

/**
 * Everything there is. Nothing here changes the host but a change that was approved, nothing its ceiling or its identity, and every
 * answer is the same for a hostile asker: what the network part could misuse is not a verb.
 */
export const helperVerbs = {
  identity: {
    fields: none,
    run: async (deps) => {
      const found = findHostIdentity(deps);
      if (found === undefined) throw fault("host.not_enrolled", "this host has no host key");
      return { nodeId: found.nodeId, hostKey: encodeBase64url(found.publicKey), bound: found.isBound };
    },
  },
  ceiling: {
    fields: none,
    run: async (deps) => {
      getHostIdentity(deps);
      const ceiling = deps.readCeiling();
      const digest = createHash("sha256").update(ceilingFrame(ceiling)).digest("hex");
      return { bytes: encodeBase64url(byteForm(ceiling)), digest };
    },
  },
  status: { fields: none, run: (deps) => signFacts(deps) },
  "enrol.sign": { fields: enrolFields, run: signEnrolment },
  "channel.sign": { fields: channelFields, run: signChannelKey },
  "state.read": { fields: stateFields, run: signState },
  "log.read": { fields: logFields, run: readLogs },
  "task.submit": { fields: taskFields, malformed: "task.malformed", run: submitTask },
  "blob.put": { fields: blobFields, run: putBlob },
  "journal.read": { fields: journalFields, run: readJournal },
  "probe.get": { fields: none, run: getProbe },
  "probe.proof": { fields: proofFields, run: takeProof },
  "head.put": { fields: headFields, run: putHead },
  "head.get": { fields: none, run: getHead },
} as const satisfies Record<HelperVerbName, HelperVerb>;

/** The answer to one request, or the refusal that is thrown. */
export async function answerVerb(deps: HelperDeps, verb: string, fields: JsonObject): Promise<JsonObject> {
  if (!Object.hasOwn(helperVerbs, verb)) {
    throw fault("local.verb", `expected one of ${Object.keys(helperVerbs).join(", ")}`);
  }
  const row: HelperVerb = helperVerbs[verb as keyof typeof helperVerbs];
  const parsed = row.fields.safeParse(fields);
  if (!parsed.success) throw fault(row.malformed ?? "local.frame", `the fields of ${verb} are not as expected`);
  return row.run(deps, parsed.data as never);
}
