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
  /** With their blocks, the longest unused first. */
  readonly addresses: Map<string, string>;
  /** Beside them, so that a look takes the same steps for somebody with many places and for nobody. */
  readonly blocks: ReadonlySet<string>;
}

const nowhere: Pick<Known, "addresses" | "blocks"> = { addresses: new Map(), blocks: new Set() };

export function openPlaces(): Places {
  const users = new Map<string, Known>();
  const knownTo = (owner: Owner | undefined) => {
    const known = users.get(owner?.id ?? "nobody");
    return known?.passwordChangedAt === owner?.passwordChangedAt ? known : undefined;
  };
  return {
    remember: (owner, address) => {
      const addresses = knownTo(owner)?.addresses ?? new Map<string, string>();
      addresses.delete(address);
      addresses.set(address, strangerBlock(address));
      const oldest = addresses.size > authLimits.knownAddresses ? addresses.keys().next() : undefined;
      if (oldest?.done === false) addresses.delete(oldest.value);
      const { passwordChangedAt } = owner;
      users.set(owner.id, { passwordChangedAt, addresses, blocks: new Set(addresses.values()) });
    },
    laneOf: (owner, address) => {
      const { addresses, blocks } = knownTo(owner) ?? nowhere;
      const block = strangerBlock(address);
      if (addresses.has(address)) return `address/${owner?.id}/${address}`;
      return blocks.has(block) ? `block/${owner?.id}/${block}` : undefined;
    },
  };
}
