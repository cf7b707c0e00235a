import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseStrictJsonBytes } from "@gatehouse/base";
import { bundleLimits, manifestName } from "@gatehouse/bundle/verify";
import { UsageError } from "@gatehouse/command-line";
import { type Capability, isCapability } from "@gatehouse/contract";
import { readInput } from "../files/read-input.ts";

export interface Declared {
  /** The file that was read; undefined when there is none, and then nothing is declared. */
  readonly file: string | undefined;
  readonly capabilities: readonly Capability[];
}

/** A build has the one beside the artifact, a bundle the other. */
const besideArtifact = ["plugin.json", manifestName];

/** The capabilities that a description or a manifest declares: of the file that is named, or of one beside the artifact. */
export async function readDeclared(artifact: string, named: string | undefined, topic: string): Promise<Declared> {
  const file = named ?? (await findBeside(artifact));
  if (file === undefined) return { file, capabilities: [] };
  const refuse = (why: string) => new UsageError(`--manifest: ${file}: ${why}`, topic);
  const read = parseStrictJsonBytes(
    await readInput(file, { what: "--manifest", topic, most: bundleLimits.manifestBytes }),
  );
  if (!read.ok) throw refuse(`expected strict JSON, found: ${read.reason}, at character ${read.at}`);
  const { capabilities } = (read.value ?? {}) as { readonly capabilities?: unknown };
  if (!Array.isArray(capabilities)) throw refuse("expected an object with a list of capabilities");
  return {
    file,
    capabilities: capabilities.map((name: unknown) => {
      if (typeof name === "string" && isCapability(name)) return name;
      throw refuse(`capabilities: there is none of the name ${JSON.stringify(name)}`);
    }),
  };
}

async function findBeside(artifact: string): Promise<string | undefined> {
  for (const name of besideArtifact) {
    const file = join(dirname(artifact), name);
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}
