import { byteForm, readByteForm } from "@gatehouse/base";
import { UsageError } from "@gatehouse/command-line";
import { announcedArtifact } from "@gatehouse/contract/routes";
import type { ArtifactFacts } from "@gatehouse/plan";
import { readInput } from "../files/read-input.ts";

const mostBytes = 4_096;

/** Where the facts of a file stand unless somebody says otherwise. */
export function factsBeside(file: string): string {
  return `${file}.artifact.json`;
}

export function writeFacts(facts: ArtifactFacts): Uint8Array {
  return byteForm(facts);
}

/** What is said of an artifact and who signed it, from the file beside it: in the form in which a server takes it. */
export async function readArtifactFacts(file: string, topic: string): Promise<ArtifactFacts> {
  const bytes = await readInput(file, { what: "--facts", topic, most: mostBytes });
  const read = announcedArtifact.safeParse(readByteForm(bytes, { depth: 3, keys: 32, items: 32 }));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const what = `${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not as expected"}`.trim();
  throw new UsageError(`--facts: ${JSON.stringify(file)} is not as gatehouse artifact sign writes it: ${what}`, topic);
}
