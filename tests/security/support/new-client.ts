let made = 0;

/**
 * A header that makes the request come from an address of its own, for a server that trusts its proxy: routes with a
 * limit per address would refuse the twenty-first request of a test.
 */
export function newClient(): readonly [string, string] {
  made += 1;
  return ["X-Real-IP", `100.${64 + (made >> 16)}.${(made >> 8) & 255}.${made & 255}`];
}
