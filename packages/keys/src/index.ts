/**
 * Keys: raw Ed25519 keys, points of P-256, and the frames they sign. The only place that makes a key object from bytes that came from outside.
 * Never keeps a key, never decides whose key it is. `@gatehouse/keys/frame` is the browser-safe door.
 */
export { findKeyFlaw } from "./edwards.ts";
export {
  exportPrivateKey,
  importPrivateKey,
  isSignedBy,
  loadKeptKey,
  loadPublicKey,
  newPrivateKey,
  publicKeyBytes,
  publicKeyLength,
  signatureLength,
  signBytes,
} from "./ed25519.ts";
export { keyIdOf } from "./key-id.ts";
export { isSignedByP256, loadP256Key } from "./p256.ts";
export { nodeIdOf } from "./node-id.ts";
