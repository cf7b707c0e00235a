/** An IP address as its bytes: four or sixteen of them. Undefined for anything that is not exactly one address. */
export function parseAddress(text: string): Uint8Array | undefined {
  return text.includes(":") ? parseV6(text) : parseV4(text);
}

/**
 * A range of addresses (`10.0.0.0/8`), or why it is none. A bare address is the range that holds only itself.
 * Ranges decide whose word is taken for a client's address, so a sloppy one is refused rather than understood.
 */
export function parseRange(text: string): { readonly range: string } | { readonly problem: string } {
  const [base = "", length, ...rest] = text.split("/");
  const bytes = parseAddress(base);
  if (bytes === undefined || rest.length > 0) return { problem: "is not an address or range" };
  if (isMapped(bytes)) return { problem: "is an IPv4 address in IPv6 clothes; write it as IPv4" };
  const bits = bytes.length * 8;
  if (length === undefined) return { range: `${base}/${bits}` };
  if (!/^(0|[1-9][0-9]{0,2})$/.test(length) || Number(length) > bits) {
    return { problem: `has a prefix length that is not from 1 to ${bits}` };
  }
  if (Number(length) === 0)
    return { problem: "is every address there is; that would let anybody choose their address" };
  if (hasHostBits(bytes, Number(length))) return { problem: `has bits set behind its prefix length of ${length}` };
  return { range: text };
}

function parseV4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  // No leading zeros: some readers take 010 for eight.
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  return Uint8Array.from(parts, Number);
}

function parseV6(text: string): Uint8Array | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = groups(halves[0] ?? "", halves.length === 1);
  const tail = halves.length === 2 ? groups(halves[1] ?? "", true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.length - tail.length;
  // `::` stands for at least one group of zeros.
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return Uint8Array.from([...head, ...Array.from({ length: missing }, () => 0), ...tail]);
}

/** The bytes of `a:b:c`; the last group may be dotted IPv4 where the address ends. */
function groups(text: string, endsHere: boolean): number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (part.includes(".")) {
      const v4 = endsHere && index === parts.length - 1 ? parseV4(part) : undefined;
      if (v4 === undefined) return undefined;
      bytes.push(...v4);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(part)) return undefined;
      const group = Number.parseInt(part, 16);
      bytes.push(group >> 8, group & 255);
    }
  }
  return bytes;
}

function isMapped(bytes: Uint8Array): boolean {
  return bytes.length === 16 && bytes.subarray(0, 10).every((b) => b === 0) && bytes[10] === 255 && bytes[11] === 255;
}

function hasHostBits(bytes: Uint8Array, length: number): boolean {
  return bytes.some((byte, index) => {
    const kept = Math.min(8, Math.max(0, length - index * 8));
    return (byte & (255 >> kept)) !== 0;
  });
}
