import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { fault } from "@gatehouse/contract";
import { errorCode } from "./error-code.ts";

/** A key file is a few hundred bytes. */
const sizeLimit = 16 * 1024;

/**
 * The bytes of a file that nobody else may read. As ssh does, refuses one that is a link, belongs to somebody else or
 * could have been read by others: a key that others could read is not a secret any more.
 */
export async function readPrivateFile(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (cause: unknown) => {
      throw unusable(`${file} ${errorCode(cause) === "ELOOP" ? "is a link" : "cannot be opened"}`, cause);
    },
  );
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw unusable(`${file} is not a regular file`);
    if (found.uid !== process.getuid?.()) throw unusable(`${file} belongs to another user`);
    if ((found.mode & 0o077) !== 0) {
      const mode = (found.mode & 0o777).toString(8).padStart(4, "0");
      throw unusable(`${file} can be read or written by others: expected mode 0600, found ${mode}`);
    }
    if (found.size > sizeLimit) throw unusable(`${file} is larger than ${sizeLimit} bytes`);
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function unusable(detail: string, cause?: unknown): Error {
  return fault("cli.key_file_unusable", detail, { cause });
}
