import { byteForm, readByteForm } from "@gatehouse/base";
import { UsageError } from "@gatehouse/command-line";
import { type ArtifactFacts, binaryFacts, releaseFacts, releaseName } from "@gatehouse/plan";
import * as z from "zod";
import { readInput } from "../files/read-input.ts";

/** What is said of an artifact and who signed it, in a file beside it. */
const factsForm = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("binary"), ...binaryFacts }),
  z.strictObject({ kind: z.literal("release"), name: z.literal(releaseName), ...releaseFacts }),
]);

const mostBytes = 4_096;

/** Where the facts of a file stand unless somebody says otherwise. */
export function factsBeside(file: string): string {
  return `${file}.artifact.json`;
}

export function writeFacts(facts: ArtifactFacts): Uint8Array {
  return byteForm(facts);
}

export async function readArtifactFacts(file: string, topic: string): Promise<ArtifactFacts> {
  const bytes = await readInput(file, { what: "--facts", topic, most: mostBytes });
  const read = factsForm.safeParse(readByteForm(bytes, { depth: 3, keys: 32, items: 32 }));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const what = `${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not as expected"}`.trim();
  throw new UsageError(`--facts: ${JSON.stringify(file)} is not as gatehouse artifact sign writes it: ${what}`, topic);
}
