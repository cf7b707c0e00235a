import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { UsageError } from "@gatehouse/command-line";

export interface InputRules {
  /** What stands for the file in the help: `--trust`, `MANIFEST`. */
  readonly what: string;
  readonly topic: string;
  /** Bytes. */
  readonly most: number;
}

/** The whole of a file that was named on the command line. Nothing is read that is no regular file or too large. */
export async function readInput(file: string, { what, topic, most }: InputRules): Promise<Uint8Array> {
  const refuse = (why: string) => new UsageError(`${what}: ${why}`, topic);
  // Not waiting for whoever would write into a pipe of that name.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: Error) => {
    throw refuse(error.message);
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw refuse(`${JSON.stringify(file)} is not a regular file`);
    if (found.size > most)
      throw refuse(`${JSON.stringify(file)} has ${found.size} bytes; at most ${most} are expected`);
    // One byte more than is allowed, so that a file that grows meanwhile is seen.
    const bytes = Buffer.alloc(most + 1);
    let size = 0;
    while (size < bytes.length) {
      const { bytesRead } = await handle.read(bytes, size, bytes.length - size);
      if (bytesRead === 0) return bytes.subarray(0, size);
      size += bytesRead;
    }
    throw refuse(`${JSON.stringify(file)} has more than ${most} bytes`);
  } finally {
    await handle.close();
  }
}
