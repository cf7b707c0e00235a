import { importPrivateKey } from "@gatehouse/keys";

/** The private half of the release key of tests. Everybody has it, so that only builds for tests hold the public one. */
export const testReleaseSigner = importPrivateKey(new Uint8Array(32).fill(0x72));
