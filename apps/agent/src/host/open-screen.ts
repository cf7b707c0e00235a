import { fstatSync, writeSync } from "node:fs";
import type { Screen } from "@gatehouse/command-line";

/** `process.stdout` costs a compiled agent four times what all the rest of its start does; a descriptor costs nothing. */
export function openScreen(descriptor: 1 | 2): Screen {
  return { isTTY: isDevice(descriptor), write: (text) => writeAll(descriptor, Buffer.from(text)) };
}

/** A terminal, or /dev/null, which does not mind colours either. */
function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    // Closed by whoever started us: there is nobody to show colours to.
    return false;
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Nobody reads any more, as behind `head`: what was found is found all the same, and the exit code says it.
      if (code === "EPIPE" || code === "EBADF") return;
      if (code !== "EAGAIN") throw error;
      // A full pipe that does not block: its reader needs a moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
