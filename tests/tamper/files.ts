import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What a data directory is made of (docs/operate/data.md). */
export const fileNames = ["state.json", "state.json.audit-wal", "logs.db", "master.key"] as const;
export type FileName = (typeof fileNames)[number];

/** The bytes of the four files at one moment. */
export type Files = Readonly<Record<FileName, Buffer>>;

export async function readFiles(directory: string): Promise<Files> {
  const read = async (name: FileName) => [name, await readFile(join(directory, name))] as const;
  return Object.fromEntries(await Promise.all(fileNames.map(read))) as Files;
}

/** The four files with one of them changed; null takes it away. */
export interface Changed {
  readonly files: Files;
  readonly name: FileName;
  readonly bytes: Buffer | null;
}

/** Does `work` in a directory of these files, which is gone afterwards. */
export async function inDirectory<T>(
  directory: string,
  { files, name, bytes }: Changed,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  await mkdir(directory, { mode: 0o700 });
  try {
    for (const each of fileNames) {
      const kept = each === name ? bytes : files[each];
      if (kept !== null) await writeFile(join(directory, each), kept, { mode: 0o600 });
    }
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
