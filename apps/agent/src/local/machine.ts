import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";

/** SHA-256 of the machine's own id: systemd makes one for every installation, and a copied disk that boots elsewhere gets another. */
export function machineDigest(root: string): string {
  const path = join(root, "etc/machine-id");
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw fault("host.unsuitable", `${path} cannot be read: the host key is bound to it`, { cause });
  }
  if (!/^[0-9a-f]{32}$/.test(text)) throw fault("host.unsuitable", `${path} holds no machine id`);
  return createHash("sha256").update(text).digest("hex");
}
