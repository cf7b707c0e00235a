/** What one request may take. The caller says so: there is no default that somebody could rely on without reading it. */
export interface EgressLimits {
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** From the first packet to the end of the handshake, over all addresses that are tried. */
  readonly connectMs: number;
  /** From the first question to the last byte. */
  readonly totalMs: number;
}

/** Numbers that no caller has a reason to choose. */
export const egressLimits = {
  urlCharacters: 2_048,
  headers: 32,
  headerCharacters: 4_096,
  responseHeaderBytes: 16 * 1024,
  /** Addresses of one host that are tried; all of them are judged. */
  addressesTried: 3,
  resolveMs: 2_000,
  resolveTries: 2,
} as const;
