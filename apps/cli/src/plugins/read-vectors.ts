import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { type Json, type JsonObject, parseStrictJsonBytes } from "@gatehouse/base";
import { makeVectors, type VectorEntry, type VectorIndex } from "@gatehouse/bundle/vectors";
import { UsageError } from "@gatehouse/command-line";
import { readInput } from "../files/read-input.ts";

const mostBytes = 4 * 1024 * 1024;

export interface ReadVectors {
  readonly entries: readonly VectorEntry[];
  /** What is not done with a vector of somebody else, and why. */
  readonly strange: ReadonlyMap<string, string>;
}

/**
 * The index of a directory of vectors. It may be somebody else's, so no path in it leaves the directory, and steps that
 * change files are taken only where they are exactly those of this version's own vector of that name.
 */
export async function readVectors(directory: string, topic: string): Promise<ReadVectors> {
  const refuse = (why: string) => new UsageError(`DIR: index.json: ${why}`, topic);
  const read = parseStrictJsonBytes(
    await readInput(join(directory, "index.json"), { what: "DIR", topic, most: mostBytes }),
  );
  const list = read.ok && isObject(read.value) ? read.value["vectors"] : undefined;
  if (!read.ok) throw refuse(`expected strict JSON, found: ${read.reason}, at character ${read.at}`);
  if (!Array.isArray(list) || list.length === 0) throw refuse("expected a list of vectors");
  const entries = list.map((entry: Json, index) => {
    if (!isEntry(entry)) throw refuse(`vectors/${index} does not have the form of a vector`);
    return entry as unknown as VectorEntry;
  });
  const own = ownPlants();
  const strange = entries.flatMap(({ name, plant }) =>
    plant.length === 0 || isDeepStrictEqual(plant, own.get(name))
      ? []
      : [[name, "its plant steps are not known here"] as const],
  );
  return { entries, strange: new Map(strange) };
}

function ownPlants(): ReadonlyMap<string, VectorEntry["plant"]> {
  const bytes = makeVectors().get("index.json") ?? new Uint8Array();
  const { vectors } = JSON.parse(Buffer.from(bytes).toString()) as VectorIndex;
  return new Map(vectors.map(({ name, plant }) => [name, plant]));
}

const texts: Readonly<Record<string, RegExp>> = {
  name: /^[a-z0-9-]{1,100}$/,
  directory: /^bundles\/[a-z0-9-]{1,100}$/,
  // A name in that directory: some vectors have odd ones, none has a slash.
  entry: /^(?!\.{1,2}$)[^/\0]{1,255}$/,
  trust: /^trust\/[a-z0-9-]{1,100}\.json$/,
  now: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
};

function isEntry(entry: Json): boolean {
  if (!isObject(entry)) return false;
  const isText = ([field, form]: [string, RegExp]) => {
    const value = entry[field];
    return typeof value === "string" && form.test(value);
  };
  const { accepted, code, plant, enabledRunners } = entry;
  return (
    Object.entries(texts).every(isText) &&
    Array.isArray(plant) &&
    Array.isArray(enabledRunners) &&
    (accepted === true ? code === null : accepted === false && typeof code === "string")
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
