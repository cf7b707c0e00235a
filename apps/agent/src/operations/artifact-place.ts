import { join } from "node:path";

/** Where an artifact lies while its change is made: in the directory of the task, with which it goes. */
export function artifactIn(directory: string, sha256: string): string {
  return join(directory, `artifact-${sha256}`);
}
