import { joined } from "./joined.ts";

/** An IPv4 address in every IPv6 dress that some system unpacks, in several spellings each. */
export function embeddings(four: string): string[] {
  const bytes = four.split(".").map(Number);
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  const [high, low] = [`${hex[0]}${hex[1]}`, `${hex[2]}${hex[3]}`];
  const turned = bytes.map((byte) => (byte ^ 255).toString(16).padStart(2, "0"));
  const inverse = `${turned[0]}${turned[1]}:${turned[2]}${turned[3]}`;
  const plain = joined(
    [`::ffff:${four}`, `::ffff:${high}:${low}`, `0:0:0:0:0:ffff:${high}:${low}`, `0000:0000:0000::ffff:${four}`],
    [`::${four}`, `::${high}:${low}`, `::ffff:0:${four}`, `0:0:0:0:ffff:0:${high}:${low}`],
    [`64:ff9b::${four}`, `64:ff9b::${high}:${low}`, `0064:ff9b:0:0:0:0:${high}:${low}`],
    [
      `64:ff9b:1::${four}`,
      `64:ff9b:1:${high}:${low.slice(0, 2)}:${low.slice(2)}00::`,
      `64:ff9b:1:ffff::${high}:${low}`,
    ],
    [`2002:${high}:${low}::`, `2002:${high}:${low}::1`, `2002:${high}:${low}:1:2:3:4:5`],
    [`2001:0:${high}:${low}::`, `2001::1:2:${inverse}`, `2001:0:4136:e378:8000:63bf:${inverse}`],
    [`2a00:1450::5efe:${four}`, `2606:4700::200:5efe:${high}:${low}`, `fe80::5efe:${four}`],
  );
  return plain.flatMap((text) => [text, text.toUpperCase()]);
}
