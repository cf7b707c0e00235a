import { type FairLine, openFairLine } from "./fair-line.ts";

/** Who wants in. The first lane comes before the second, and the second before the third. */
export const laneNames = ["signed-in", "known", "stranger"] as const;
export type Lane = (typeof laneNames)[number];

export interface HashingTurn {
  readonly lane: Lane;
  /** Whose share of the lane it takes: a block of addresses. */
  readonly block: string;
}

export interface TurnstileLimits {
  /** So many work at once, whoever they are. */
  readonly atOnce: number;
  /** And of each lane; where strangers have fewer than all places, one is always free for the others. */
  readonly lanes: Readonly<Record<Lane, { readonly atOnce: number; readonly waiting: number }>>;
  /** What is told to whoever has to make room. */
  readonly refuse: (lane: Lane) => Error;
}

/** Lets a few in at once and has some more wait, each lane in a line of its own: work that shares its threads is bounded. */
export interface Turnstile {
  run<T>(work: () => Promise<T>, turn: HashingTurn): Promise<T>;
}

interface Waiter {
  readonly enter: () => void;
  readonly drop: (reason: Error) => void;
}

export function openTurnstile({ atOnce, lanes, refuse }: TurnstileLimits): Turnstile {
  const lines: Readonly<Record<Lane, FairLine<Waiter>>> = {
    "signed-in": openFairLine(lanes["signed-in"].waiting),
    known: openFairLine(lanes.known.waiting),
    stranger: openFairLine(lanes.stranger.waiting),
  };
  const inside: Record<Lane, number> = { "signed-in": 0, known: 0, stranger: 0 };
  let running = 0;

  const admit = () => {
    for (const lane of laneNames) {
      while (running < atOnce && inside[lane] < lanes[lane].atOnce) {
        const next = lines[lane].take();
        if (next === undefined) break;
        running += 1;
        inside[lane] += 1;
        next.enter();
      }
    }
  };
  const enter = ({ lane, block }: HashingTurn): Promise<void> =>
    new Promise((resolve, reject) => {
      const dropped = lines[lane].push(block, { enter: resolve, drop: reject });
      dropped?.drop(refuse(lane));
      admit();
    });

  return {
    run: async (work, turn) => {
      await enter(turn);
      try {
        return await work();
      } finally {
        running -= 1;
        inside[turn.lane] -= 1;
        admit();
      }
    },
  };
}
