/** Which sections of a plan are meant, by their order in it: section 0 is the first bit of the first byte. */
export interface SectionBits {
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Throws a RangeError for a section that the plan has not got, and for none at all: nobody signs nothing. */
export function sectionBits(count: number, sections: Iterable<number>): SectionBits {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (const section of sections) {
    if (!isSection(count, section)) throw new RangeError(`${section} is no section of ${count}`);
    bytes[section >> 3] = (bytes[section >> 3] as number) | (0x80 >> (section & 7));
  }
  if (!bytes.some((byte) => byte > 0)) throw new RangeError("no section is named");
  return { count, bytes };
}

/** False for every section beyond the last. */
export function hasSection({ count, bytes }: SectionBits, section: number): boolean {
  return isSection(count, section) && ((bytes[section >> 3] as number) & (0x80 >> (section & 7))) > 0;
}

export function sectionsOf(bits: SectionBits): number[] {
  return Array.from({ length: bits.count }, (_, section) => section).filter((section) => hasSection(bits, section));
}

/** Bits in their one form: just as many bytes as they need, at least one bit set, and none behind the last section. */
export function findSectionBits(count: number, bytes: Uint8Array): SectionBits | undefined {
  if (bytes.byteLength !== Math.ceil(count / 8) || !bytes.some((byte) => byte > 0)) return undefined;
  const spare = bytes.byteLength * 8 - count;
  const isSpareClear = ((bytes.at(-1) as number) & ((1 << spare) - 1)) === 0;
  return isSpareClear ? { count, bytes } : undefined;
}

function isSection(count: number, section: number): boolean {
  return Number.isInteger(section) && section >= 0 && section < count;
}
