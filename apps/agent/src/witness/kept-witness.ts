import { dirname, join } from "node:path";
import { encodeBase64url } from "@gatehouse/channel";
import { witnessCodes } from "@gatehouse/contract";
import { fault, isFault } from "@gatehouse/contract/faults";
import { isAbsent, nodeVfs, type Vfs } from "@gatehouse/files";
import * as z from "zod";
import type { AgentPaths } from "../config.ts";
import { findJsonFile, type JsonFile, putJsonFile } from "../local/json-file.ts";

/** Bounds of what a host keeps of its server's log. */
export const witnessKeeping = {
  /** One head a day. */
  days: 400,
  /** Pairs of heads that do not fit: half of them the first ones, half the newest. */
  conflicts: 16,
} as const;

const moment = z.int().nonnegative();
/** A whole signed message, in base64url: proof by itself. */
const signed = z.string().min(200).max(512);

const trouble = z.strictObject({
  code: z.enum(witnessCodes),
  since: moment,
  /** The newest head that was refused; null when the server's key did not sign it. */
  told: signed.nullable(),
  /** The line of the held head went on afterwards. */
  resumed: z.boolean(),
});

const form = z.strictObject({
  schema: z.literal(1),
  /** Whose heads these are. */
  server: z.string().length(43),
  held: signed.nullable(),
  trouble: trouble.nullable(),
  conflicts: z
    .array(z.strictObject({ at: moment, code: z.enum(witnessCodes), held: signed, told: signed }))
    .max(witnessKeeping.conflicts),
  accepted: z.strictObject({ at: moment, code: z.enum(witnessCodes) }).nullable(),
});
export type KeptWitness = z.output<typeof form>;

const daysForm = z.strictObject({
  schema: z.literal(1),
  server: z.string().length(43),
  days: z
    .array(z.strictObject({ day: z.string().regex(/^\d{4,6}-\d\d-\d\d$/), head: signed }))
    .max(witnessKeeping.days),
});
export type KeptDays = z.output<typeof daysForm>["days"];

export interface WitnessPlace {
  readonly paths: Pick<AgentPaths, "helperState">;
  readonly owner: number;
  readonly vfs?: Vfs | undefined;
}

/**
 * What is kept of this server's log; undefined when nothing ever was. What cannot be read is `witness.damaged` and never nothing: the
 * next head would be taken on trust.
 */
export function findKeptWitness(place: WitnessPlace, server: Uint8Array): KeptWitness | undefined {
  const key = encodeBase64url(server);
  const [kept, days] = readBoth(place);
  // Root has enrolled this host with another server: what was kept of the former one says nothing of this.
  if ((kept ?? days)?.server !== key) return undefined;
  if (kept === undefined)
    throw fault("witness.damaged", "the newest head is gone, and those of earlier days are there");
  return kept;
}

export function findKeptDays(place: WitnessPlace, server: Uint8Array): KeptDays {
  const [, days] = readBoth(place);
  return days?.server === encodeBase64url(server) ? days.days : [];
}

function readBoth(place: WitnessPlace) {
  try {
    return [findJsonFile(witnessFile(place)), findJsonFile(daysFile(place))] as const;
  } catch (error) {
    if (isFault(error, "agent.file_unusable")) throw fault("witness.damaged", error.detail, { cause: error });
    throw error;
  }
}

export function newKeptWitness(server: Uint8Array): KeptWitness {
  return { schema: 1, server: encodeBase64url(server), held: null, trouble: null, conflicts: [], accepted: null };
}

/** The newest head first: without the days it is whole, and the other way round it is not. */
export async function putKeptWitness(place: WitnessPlace, kept: KeptWitness, days?: KeptDays): Promise<void> {
  await putJsonFile(witnessFile(place), kept);
  if (days !== undefined) await putJsonFile(daysFile(place), { schema: 1, server: kept.server, days });
}

/** Keeps what cannot be read beside what comes, for whoever wants to know what happened. */
export async function setWitnessAside(place: WitnessPlace): Promise<void> {
  const { vfs = nodeVfs } = place;
  // The days first: alone they would be damage once more.
  for (const { path } of [daysFile(place), witnessFile(place)]) {
    await vfs.rename(path, `${path}.damaged`).catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
  }
  await vfs.syncDirectory(dirname(witnessFile(place).path));
}

const limits = { depth: 8, keys: 4_096, items: 1_024 };

function witnessFile({ paths, owner, vfs }: WitnessPlace): JsonFile<KeptWitness> {
  return { path: join(paths.helperState, "witness.json"), owner, mode: 0o600, form, vfs, limits };
}

function daysFile({ paths, owner, vfs }: WitnessPlace): JsonFile<z.output<typeof daysForm>> {
  return { path: join(paths.helperState, "witness-days.json"), owner, mode: 0o600, form: daysForm, vfs, limits };
}
