/**
 * Store: what is kept and the log of who changed it, which is the same thing. One mutation, `commit`.
 * Never knows a product noun; never acknowledges what is not durable.
 */
export { FileStore, type FileStoreOptions, openFileStore } from "./file-store.ts";
export { type OpeningEntry, openingEntries } from "./opening-entries.ts";
export type { KeptHead, KeptHeads } from "./heads/kept-heads.ts";
export { type Kinds, kindsOf } from "./kinds.ts";
export {
  type AuditPage,
  type AuditQuery,
  type AuditRecord,
  type Broken,
  type Change,
  type CheckReport,
  type Committed,
  type Expect,
  type Head,
  limits,
  type LoggedEntry,
  type Read,
  type Store,
  type StoredRecord,
  type StoreHealth,
  type Told,
  type VerifyReport,
  type Version,
} from "./port.ts";
export type { Diagnosis, Finding, RecoverOptions } from "./examine-directory.ts";
export { diagnoseDataDirectory, recoverDataDirectory } from "./recover.ts";
export { type DirectoryReport, type VerifyDirectoryOptions, verifyDataDirectory } from "./verify-directory.ts";
export {
  ephemeralWitness,
  newWitnessKey,
  openWitness,
  parseWitness,
  signHead,
  type ServerIdentity,
  type Witness,
  type WitnessedHead,
  type WitnessKey,
} from "./witness.ts";
export { findLastBefore, pruneBefore } from "./prune-before.ts";
export { ephemeralSecrets, openSecrets, type Secrets } from "./secrets.ts";
