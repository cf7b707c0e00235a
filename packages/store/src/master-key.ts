import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { isAbsent, type Vfs, writeDurably } from "@gatehouse/files";

/** The key everything else is derived from. It leaves this module only as subkeys. */
export interface MasterKey {
  /** Names the key without telling anything about it. */
  readonly id: string;
  /** Kept in state.json, so that a wrong key is refused by name. */
  readonly check: string;
  /** A 256-bit key for one purpose. */
  subkey(purpose: string): Buffer;
}

export const masterKeyName = "master.key";
const keyFileForm = /^[0-9a-f]{64}\n$/;

/**
 * Reads the master key. Contract 5.7: created at first boot in the data directory; a key file that was named but is
 * missing fails the start; a key that is missing beside an existing state is never replaced.
 */
export async function openMasterKey(deps: {
  vfs: Vfs;
  directory: string;
  masterKeyFile?: string | undefined;
  /** True only when there is no state yet. */
  mayCreate: boolean;
}): Promise<MasterKey> {
  const path = deps.masterKeyFile ?? join(deps.directory, masterKeyName);
  const text = await readKeyFile(deps.vfs, path);
  if (text !== undefined) {
    if (!keyFileForm.test(text)) throw fault("store.key_malformed", `${path} does not hold a master key`);
    return masterKey(Buffer.from(text.trim(), "hex"));
  }
  if (deps.masterKeyFile !== undefined) {
    throw fault("store.key_missing", `SERVICE_MASTER_KEY_FILE names ${path}, which does not exist`);
  }
  if (!deps.mayCreate)
    throw fault("store.key_missing", `${path} is missing, but there is a state that was written with it`);
  const bytes = randomBytes(32);
  await writeDurably(deps.vfs, path, Buffer.from(`${bytes.toString("hex")}\n`));
  return masterKey(bytes);
}

export function masterKey(bytes: Buffer): MasterKey {
  const subkey = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", bytes, "gatehouse-master-key-v1", purpose, 32));
  const publish = (purpose: string): string => createHash("sha256").update(subkey(purpose)).digest("hex");
  return { id: publish("key-id").slice(0, 16), check: publish("key-check"), subkey };
}

async function readKeyFile(vfs: Vfs, path: string): Promise<string | undefined> {
  try {
    const file = await vfs.open(path, "read");
    try {
      return Buffer.from(await file.read(0, 1024)).toString("latin1");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw fault("store.key_missing", `${path} in ${dirname(path)} cannot be read`, { cause: error });
  }
}
