/** So much of a program says which processor it is for. */
export const elfHeadBytes = 20;

const magic = [0x7f, 0x45, 0x4c, 0x46];
/** ELFCLASS64 and ELFDATA2LSB. */
const wide = 2;
const littleEndian = 1;

/** `e_machine`, by the names that Node and Bun have for processors. */
const machines = new Map([
  ["x64", 62],
  ["arm64", 183],
]);

/** What the beginning of a program is instead of one for this processor; undefined for one that is. */
export function findForeignElf(head: Uint8Array, architecture: string): string | undefined {
  if (head.byteLength < elfHeadBytes || !magic.every((byte, at) => head[at] === byte)) return "no ELF header";
  if (head[4] !== wide) return "one that is not of 64 bits";
  if (head[5] !== littleEndian) return "one of another order of bytes";
  const machine = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint16(18, true);
  if (machine === machines.get(architecture)) return undefined;
  return [...machines].find(([, number]) => number === machine)?.[0] ?? `machine ${machine}`;
}
