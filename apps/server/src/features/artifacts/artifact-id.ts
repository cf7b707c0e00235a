const digits = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The id of the artifact with these bytes: 130 bits of their digest. Two who announce the same bytes at once meet at one record, in
 * however many processes.
 */
export function artifactIdOf(sha256: string): string {
  let bits = BigInt(`0x${sha256.slice(0, 33)}`) >> 2n;
  let id = "";
  for (let at = 0; at < 26; at += 1) {
    id = digits.charAt(Number(bits % 32n)) + id;
    bits /= 32n;
  }
  return `artifact_${id}`;
}
