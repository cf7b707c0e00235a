import type { UserRecord } from "@gatehouse/contract/records";
import { strangerBlock } from "./address-block.ts";
import { authLimits } from "./limits.ts";

type Owner = Pick<UserRecord, "id" | "passwordChangedAt">;

/**
 * From where somebody has signed in before. Kept in memory, and learnt from the audit log at the start. Another password
 * makes every place of before a strange one: whoever signed in there with the old one may be the reason for the new.
 */
export interface Places {
  remember(owner: Owner, address: string): void;
  /** The lane of the address itself, or of its block; nothing for nobody. */
  laneOf(owner: Owner | undefined, address: string): string | undefined;
}

interface Known {
  readonly passwordChangedAt: number;
  /** The longest unused first. */
  readonly addresses: Set<string>;
}

export function openPlaces(): Places {
  const users = new Map<string, Known>();
  const knownTo = (owner: Owner | undefined) => {
    const known = users.get(owner?.id ?? "nobody");
    return known?.passwordChangedAt === owner?.passwordChangedAt ? known : undefined;
  };
  return {
    remember: (owner, address) => {
      const known = knownTo(owner) ?? { passwordChangedAt: owner.passwordChangedAt, addresses: new Set() };
      users.set(owner.id, known);
      known.addresses.delete(address);
      known.addresses.add(address);
      const oldest = known.addresses.size > authLimits.knownAddresses ? known.addresses.keys().next() : undefined;
      if (oldest?.done === false) known.addresses.delete(oldest.value);
    },
    laneOf: (owner, address) => {
      const addresses = knownTo(owner)?.addresses ?? new Set<string>();
      if (addresses.has(address)) return `address/${owner?.id}/${address}`;
      const block = strangerBlock(address);
      for (const known of addresses) if (strangerBlock(known) === block) return `block/${owner?.id}/${block}`;
      return undefined;
    },
  };
}
