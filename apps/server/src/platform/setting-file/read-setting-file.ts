import { constants } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Reads a whole file that a setting names. Rejects with one line that says why not: it is missing, larger than `most`, or
 * something that could be waited on for ever.
 */
export async function readSettingFile(path: string, most: number): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw new Error(codeOf(error), { cause: error });
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > most) throw new Error(`it has ${stat.size} bytes, at most ${most} are read`);
    // One more than may be there: a file that grows meanwhile is too large as well.
    const bytes = new Uint8Array(most + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) return bytes.slice(0, length);
      length += bytesRead;
      if (length > most) throw new Error(`it has more than ${most} bytes`);
    }
  } catch (error) {
    throw error instanceof Error && "code" in error ? new Error(codeOf(error), { cause: error }) : error;
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOENT") return "there is no such file";
  return typeof code === "string" ? `it cannot be opened (${code})` : "it cannot be read";
}
