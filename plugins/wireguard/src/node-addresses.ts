import { findNetwork, writeAddress } from "@gatehouse/plan";

/** The addresses of number `number` in these ranges, as it carries them and as others route to it. */
export function nodeAddresses(ranges: readonly string[], number: number): { own: string[]; routed: string[] } {
  const found = ranges
    .flatMap((range) => findNetwork(range) ?? [])
    .map(({ bytes, length }) => ({
      text: writeAddress(added(bytes, number)),
      length,
      bits: bytes.length * 8,
    }));
  return {
    own: found.map(({ text, length }) => `${text}/${length}`),
    routed: found.map(({ text, bits }) => `${text}/${bits}`),
  };
}

function added(bytes: Uint8Array, number: number): Uint8Array {
  const sum = Uint8Array.from(bytes);
  let carry = number;
  for (let at = sum.length - 1; at >= 0 && carry > 0; at -= 1) {
    carry += sum[at] ?? 0;
    sum[at] = carry & 255;
    carry >>>= 8;
  }
  return sum;
}
