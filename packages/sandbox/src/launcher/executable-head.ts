/** As much of a file as the kernel looks at to decide how to run it. */
export const headBytes = 256;

const machines: Readonly<Record<string, number>> = { x64: 0x3e, arm64: 0xb7 };
const elf = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);

/**
 * What keeps the kernel from running a file that begins so. It matters before the first start: programs on the way answer the
 * kernel's "unknown format" by handing the file to a shell, and a plugin is never run by a shell (contract 3.1).
 */
export function findProblem(head: Buffer, architecture: string): string | undefined {
  if (head.subarray(0, 2).toString("latin1") === "#!") {
    return /^#![ \t]*\/[^\n\0]+\n/.test(head.toString("latin1"))
      ? undefined
      : "the artifact's first line names no interpreter by its whole path within 256 bytes";
  }
  if (!head.subarray(0, elf.length).equals(elf))
    return "the artifact is neither a program for 64-bit Linux nor a script that begins with #!/";
  const machine = head.length >= 20 ? head.readUInt16LE(18) : undefined;
  return machine === machines[architecture]
    ? undefined
    : `the artifact is a program for another processor than ${architecture}`;
}
