import { addToCount } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";

export interface SocketPlacesRules {
  /** Agents that are connected, with those that have still to prove who they are. */
  readonly agents: number;
  /** Of those that have still to. */
  readonly hellos: number;
  /** How long each of them has for it. */
  readonly helloMs: number;
}

/** One agent's connection that holds a place. */
export interface PlaceHolder {
  /** The hello did not come in time. */
  late(): void;
  /** Somebody else gets the place. */
  cut(): void;
}

export interface SocketPlaces<Holder extends PlaceHolder> {
  /** Throws when there is no room; whoever comes past it takes a place in the same step. */
  makeRoom(block: string): void;
  take(holder: Holder, block: string): void;
  /** It has proved who it is, and keeps its place among the connected. */
  prove(holder: Holder): void;
  leave(holder: Holder): void;
}

/**
 * The places of agents. Few may be without a proof at once, so that a fleet that comes back all together is let in as fast as
 * the server can judge it, and not faster. A stranger can take these places too: when all are taken, whoever holds the most of
 * them gives one up to an address that has fewer.
 */
export function openSocketPlaces<Holder extends PlaceHolder>(rules: SocketPlacesRules): SocketPlaces<Holder> {
  /** In the order in which they came. */
  const unproved = new Map<Holder, { readonly block: string; readonly timer: NodeJS.Timeout }>();
  const holders = new Set<Holder>();
  const prove = (holder: Holder) => {
    clearTimeout(unproved.get(holder)?.timer);
    unproved.delete(holder);
  };
  const leave = (holder: Holder) => {
    prove(holder);
    holders.delete(holder);
  };
  return {
    makeRoom: (block) => {
      if (holders.size >= rules.agents) throw noRoom(rules, `there are ${rules.agents} agents connected`);
      if (unproved.size < rules.hellos) return;
      const first = findOldestOfLargest(
        [...unproved].map(([holder, of]) => ({ holder, block: of.block })),
        block,
      );
      if (first === undefined) throw noRoom(rules, `${rules.hellos} agents are connecting`);
      leave(first);
      first.cut();
    },
    take: (holder, block) => {
      const timer = setTimeout(() => {
        prove(holder);
        holder.late();
      }, rules.helloMs);
      unproved.set(holder, { block, timer });
      holders.add(holder);
    },
    prove,
    leave,
  };
}

/** The first of the address with the most places, if it has at least two more than the one that asks. */
function findOldestOfLargest<Holder>(
  waiting: readonly { readonly holder: Holder; readonly block: string }[],
  asking: string,
): Holder | undefined {
  const counts = new Map<string, number>();
  for (const { block } of waiting) addToCount(counts, block, 1);
  let largest = asking;
  for (const [block, count] of counts) if (count > (counts.get(largest) ?? 0)) largest = block;
  const isFair = (counts.get(largest) ?? 0) >= (counts.get(asking) ?? 0) + 2;
  return isFair ? waiting.find(({ block }) => block === largest)?.holder : undefined;
}

/** Never a 503: those are logged one by one, and a fleet that comes back would fill the log. */
function noRoom({ helloMs }: SocketPlacesRules, found: string): Error {
  const retryAfter = Math.ceil(helloMs / 1_000);
  return fault("socket.no_room", `${found}; try again in ${retryAfter} s`, { fields: { retryAfter } });
}
