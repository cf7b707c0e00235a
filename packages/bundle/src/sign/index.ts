/**
 * Sign: owns publisher keys, their files and their signatures; for publishers and the command line.
 * Never imported by the server, which has no signing key (contract 5.4).
 */
export { isLocked, type KeyLock, openKeyFile, sealKeyFile } from "./key-file.ts";
export { generatePublisherKey, type PublisherKey, publisherKeyFromSeed } from "./publisher-key.ts";
export { type ManifestFields, packManifest, signManifest } from "./sign-manifest.ts";
