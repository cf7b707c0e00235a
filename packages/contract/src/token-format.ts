/**
 * A personal access token: `gth_`, 16 characters by which it is found, `_`, 43 secret ones (256 bits), and six that
 * check all the others. The fixed beginning lets scanners find a leaked one; the check tells a typing error from a
 * token that was revoked, without asking anybody.
 */
export const tokenForm = /^gth_([0-9a-z]{16})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export const tokenAlphabets = {
  id: "0123456789abcdefghijklmnopqrstuvwxyz",
  secret: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
} as const;

export const tokenLengths = { id: 16, secret: 43, check: 6 } as const;

export function joinToken(id: string, secret: string): string {
  const body = `gth_${id}_${secret}`;
  return body + checkOf(body);
}

/** The id inside a well-formed token; undefined for any other text. Says nothing about whether the token exists. */
export function findTokenId(text: string): string | undefined {
  const id = tokenForm.exec(text)?.[1];
  const body = text.slice(0, -tokenLengths.check);
  return id !== undefined && checkOf(body) === text.slice(-tokenLengths.check) ? id : undefined;
}

function checkOf(body: string): string {
  let rest = crc32(body);
  let check = "";
  for (let i = 0; i < tokenLengths.check; i += 1) {
    check = tokenAlphabets.secret.charAt(rest % 62) + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}

/** The CRC-32 of zip and PNG, bit by bit: 64 characters need no table, and browsers have no function for it. */
function crc32(ascii: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < ascii.length; i += 1) {
    crc ^= ascii.charCodeAt(i);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
