import { hkdfSync, type KeyObject } from "node:crypto";
import { exportPrivateKey } from "@gatehouse/keys";

/** Names what others of the host may not read. From the host's own key, so that nothing more has to be kept: the same for as long as the host is the same node. */
export function stateKeyOf(key: KeyObject): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", exportPrivateKey(key), new Uint8Array(), "gatehouse-state-hmac-v1", 32));
}
