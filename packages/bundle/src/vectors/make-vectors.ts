import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FaultCode } from "@gatehouse/contract";
import { fieldVectors } from "./field-vectors.ts";
import { formVectors } from "./form-vectors.ts";
import { plantedVectors } from "./planted-vectors.ts";
import { trustVectors } from "./trust-vectors.ts";
import { validVectors } from "./valid-vectors.ts";
import { type PlantStep, type Vector, vectorArtifact, vectorId } from "./vector.ts";
import { vectorNow } from "./vector-keys.ts";
import { vectorPolicies } from "./vector-policies.ts";

/** One line of `index.json`: where a bundle is, against what it is judged, and what the verdict is. */
export interface VectorEntry {
  readonly name: string;
  readonly says: string;
  /** Plugin directory of the vector, below the directory of `index.json`. */
  readonly directory: string;
  /** Entry of it that is judged. */
  readonly entry: string;
  readonly trust: string;
  readonly now: string;
  readonly enabledRunners: readonly string[];
  readonly plant: readonly PlantStep[];
  readonly accepted: boolean;
  readonly code: FaultCode | null;
}

export interface VectorIndex {
  readonly about: string;
  readonly vectors: readonly VectorEntry[];
  /** Reason codes without a vector, each with the reason why. */
  readonly withoutVector: Readonly<Record<string, string>>;
}

const all: readonly Vector[] = [...validVectors, ...formVectors, ...fieldVectors, ...trustVectors, ...plantedVectors];

const withoutVector: Partial<Record<FaultCode, string>> = {
  "bundle.verifier_failed": "It stands for a defect of the verifier itself; no bundle leads there.",
  "bundle.changed_while_read": "It needs a second program that writes in the middle of a read.",
  "bundle.too_many": "It is said about a plugin directory, not about a bundle.",
  "bundle.duplicate_id":
    "It is said about two directories together; each of them alone is accepted or bundle.id_mismatch.",
};

/** Every file of the published vectors by its path, made from fixed seeds: the same bytes on every run. */
export function makeVectors(): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>([["index.json", writeJson(makeIndex())]]);
  // The bytes are the point: no checkout may turn one line ending into another.
  files.set(".gitattributes", Buffer.from("* -text\n"));
  for (const [path, policy] of Object.entries(vectorPolicies)) files.set(path, writeJson(policy));
  for (const { name, directory = vectorId, manifest, artifact = vectorArtifact } of all) {
    files.set(`bundles/${name}/${directory}/manifest.json`, manifest);
    files.set(`bundles/${name}/${directory}/artifact`, artifact);
  }
  return files;
}

/** Writes the vectors in place of what stands in `directory`. */
export async function writeVectors(directory: string): Promise<number> {
  const files = makeVectors();
  await rm(directory, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), bytes);
  }
  return files.size;
}

function makeIndex(): VectorIndex {
  return {
    about:
      "Bundles and the verdict on each. docs/plugins/bundle-format.md says how to judge them and what the plant steps mean. The keys are public knowledge: trust none of them.",
    vectors: all.map(entryOf),
    withoutVector,
  };
}

function entryOf(vector: Vector): VectorEntry {
  const { name, says, directory = vectorId, entry = directory, policy = "trust/usual.json", code } = vector;
  return {
    name,
    says,
    directory: `bundles/${name}`,
    entry,
    trust: policy,
    now: vector.now ?? vectorNow,
    enabledRunners: vector.enabledRunners ?? ["system"],
    plant: vector.plant ?? [],
    accepted: code === undefined,
    code: code ?? null,
  };
}

function writeJson(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
