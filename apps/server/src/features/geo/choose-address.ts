import type { Placeless } from "@gatehouse/contract";
import type { Node } from "@gatehouse/contract/routes";
import { publicAddress } from "./public-address.ts";

export type Chosen = { readonly address: string } | { readonly why: Extract<Placeless, "unheard" | "private"> };

/** What is known of where a node is in the network. */
export interface Whereabouts {
  readonly address: Node["address"];
  readonly facts: Pick<NonNullable<Node["facts"]>, "addresses"> | null;
}

/** The address by which a node is looked up: where its connection comes from, or else what its host says of itself. */
export function chooseAddress({ address, facts }: Whereabouts): Chosen {
  const known = [...(address === null ? [] : [address]), ...(facts?.addresses ?? [])];
  if (known.length === 0) return { why: "unheard" };
  for (const one of known) {
    const chosen = publicAddress(one);
    if (chosen !== undefined) return { address: chosen };
  }
  return { why: "private" };
}
