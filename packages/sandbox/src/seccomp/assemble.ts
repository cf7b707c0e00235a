/** One instruction of classic BPF, as the kernel's `struct sock_filter`. */
export interface Instruction {
  readonly code: number;
  readonly k: number;
  readonly jt: number;
  readonly jf: number;
}

/** The few operations the filter needs. Offsets of jumps count instructions after the next one. */
export const bpf = {
  load: (offset: number): Instruction => ({ code: 0x20, k: offset, jt: 0, jf: 0 }),
  ifEqual: (k: number, jt: number, jf: number): Instruction => ({ code: 0x15, k, jt, jf }),
  ifAbove: (k: number, jt: number, jf: number): Instruction => ({ code: 0x25, k, jt, jf }),
  ifAtLeast: (k: number, jt: number, jf: number): Instruction => ({ code: 0x35, k, jt, jf }),
  ifAnyBit: (k: number, jt: number, jf: number): Instruction => ({ code: 0x45, k, jt, jf }),
  answer: (k: number): Instruction => ({ code: 0x06, k, jt: 0, jf: 0 }),
} as const;

/** The bytes `setpriv --seccomp-filter` and `bwrap --seccomp` read. Both architectures are little-endian. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, { code, jt, jf, k }] of program.entries()) {
    if (jt > 255 || jf > 255) throw new RangeError(`instruction ${index} jumps further than 255`);
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, jt);
    view.setUint8(index * 8 + 3, jf);
    view.setUint32(index * 8 + 4, k, true);
  }
  return bytes;
}
