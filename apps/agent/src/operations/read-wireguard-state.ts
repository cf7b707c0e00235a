import { fault } from "@gatehouse/contract/faults";
import { wireguardState } from "@gatehouse/plan";
import type { HostOperation } from "./host-operation.ts";
import { findLiveInterface, settledLink } from "./live-interface.ts";
import { keepWireguardKey } from "./wireguard-keys.ts";

/** An interface with the key that the host keeps for it, which is made when somebody first asks. Its private half is in no answer. */
export const readWireguardState: HostOperation["readState"] = async ({ root, run }, name) => {
  const { publicKey } = await keepWireguardKey(root, name);
  const live = await findLiveInterface(run, name);
  const parsed = wireguardState.safeParse({ publicKey, interface: live === null ? null : settledLink(live) });
  if (parsed.success) return parsed.data;
  const isLong = parsed.error.issues.some(({ code }) => code === "too_big");
  throw isLong
    ? fault("read.limit", `${name} has more peers, networks or routes than can be told`)
    : fault("state.unreadable", `${name}: ip and wg say something that no interface of WireGuard has`);
};
