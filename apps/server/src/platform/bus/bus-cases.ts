import { describe, expect, test } from "vitest";
import { type Bus, type BusOptions, channelOf, type Hints, type Topic } from "./bus.ts";

/** One server, or whatever stands in its place. */
export interface BusUnderTest {
  /** Two doors of one deployment. Where there is one process only, the same one twice. */
  open(options: BusOptions): Promise<Doors>;
  /** Between `there` and everybody else. Absent where nothing lies between. */
  readonly cut?: () => void;
  readonly mend?: () => void;
}

export interface Doors {
  readonly here: Bus;
  readonly there: Bus;
}

/** What every adapter of the bus promises, seen from two doors. One suite, run by each of them. */
export function busCases(name: string, start: () => BusUnderTest): void {
  const withDoors = (
    title: string,
    work: (doors: Doors, under: BusUnderTest, errors: readonly unknown[]) => Promise<void>,
  ): void => {
    test(title, async () => {
      const under = start();
      const errors: unknown[] = [];
      const doors = await under.open({ namespace: "test", onListenerError: (error) => errors.push(error) });
      await work(doors, under, errors);
      await Promise.all([doors.here.close(), doors.there.close()]);
    });
  };

  describe(`bus: ${name}`, () => {
    withDoors(
      "a hint reaches every subscriber, here and there, in the order of one sender",
      async ({ here, there }) => {
        const heard = [collect(here), collect(there), collect(there)];
        await Promise.all([here.ready(), there.ready()]);
        const positions = Array.from({ length: 100 }, (_, n) => n + 1);
        for (const position of positions) here.publish("audit.moved", { position });
        for (const one of heard) expect(await one.first(100)).toEqual(positions);
      },
    );

    withDoors("publishing returns before anybody listens", async ({ here, there }) => {
      const heard = [collect(here), collect(there)];
      await Promise.all([here.ready(), there.ready()]);
      here.publish("audit.moved", { position: 1 });
      expect(heard.map(({ positions }) => positions)).toEqual([[], []]);
      for (const one of heard) expect(await one.first(1)).toEqual([1]);
    });

    withDoors("what is published before `ready` may be lost, and after it is heard", async ({ here, there }) => {
      const heard = collect(there);
      here.publish("audit.moved", { position: 1 });
      await there.ready();
      here.publish("audit.moved", { position: 2 });
      await heard.until(2);
      expect([[2], [1, 2]]).toContainEqual(heard.positions);
    });

    withDoors(
      "`ready` holds for a subscription that came later too, and can be asked for at any time",
      async (doors) => {
        const { here, there } = doors;
        await Promise.all([there.ready(), there.ready()]);
        const heard = collect(there);
        await there.ready();
        here.publish("audit.moved", { position: 1 });
        expect(await heard.first(1)).toEqual([1]);
      },
    );

    withDoors(
      "what is cut off hears nothing, nobody is told, and it goes on when it is mended",
      async (doors, under, errors) => {
        if (under.cut === undefined || under.mend === undefined) return;
        const { here, there } = doors;
        const [near, far] = [collect(here), collect(there)];
        await Promise.all([here.ready(), there.ready()]);
        under.cut();
        here.publish("audit.moved", { position: 1 });
        there.publish("audit.moved", { position: 2 });
        expect(await near.first(1)).toEqual([1]);
        under.mend();
        await there.ready();
        here.publish("audit.moved", { position: 3 });
        await far.until(3);
        // "Perhaps late" is allowed, wrong order and failure are not.
        expect(far.positions.toSorted((a, b) => a - b)).toEqual(far.positions);
        expect(errors).toEqual([]);
      },
    );

    withDoors("another name space hears nothing of it", async ({ here }, under) => {
      const other = await under.open({ namespace: "test-2", onListenerError: noError });
      const [own, others] = [collect(here), [collect(other.here), collect(other.there)]];
      await Promise.all([here.ready(), other.here.ready(), other.there.ready()]);
      here.publish("audit.moved", { position: 1 });
      await own.first(1);
      other.here.publish("audit.moved", { position: 2 });
      for (const one of others) expect(await one.first(1)).toEqual([2]);
      expect(own.positions).toEqual([1]);
      await Promise.all([other.here.close(), other.there.close()]);
    });

    test("a name space that could be taken for another's is refused", async () => {
      for (const namespace of ["", "a.b", "A", "a b", "*", ">", "a".repeat(41)]) {
        const opening = async () => start().open({ namespace, onListenerError: noError });
        await expect(opening()).rejects.toThrow("is no name space");
      }
    });

    withDoors(
      "a subscriber that stopped hears nothing more, and stopping twice is harmless",
      async ({ here, there }) => {
        const [stopped, heard] = [collect(there), collect(there)];
        await there.ready();
        stopped.stop();
        stopped.stop();
        here.publish("audit.moved", { position: 1 });
        await heard.first(1);
        expect(stopped.positions).toEqual([]);
      },
    );

    withDoors("a function that is subscribed twice is two subscriptions", async ({ here, there }) => {
      let calls = 0;
      const listener = () => {
        calls += 1;
      };
      there.subscribe("audit.moved", listener);
      there.subscribe("audit.moved", listener)();
      const heard = collect(there);
      await there.ready();
      here.publish("audit.moved", { position: 1 });
      await heard.first(1);
      expect(calls).toBe(1);
    });

    withDoors("a subscriber that throws is reported and disturbs nobody else", async ({ here, there }, _, errors) => {
      there.subscribe("audit.moved", () => {
        throw new Error("broken listener");
      });
      const heard = collect(there);
      await there.ready();
      here.publish("audit.moved", { position: 7 });
      expect(await heard.first(1)).toEqual([7]);
      expect(errors).toHaveLength(1);
    });

    withDoors("a hint without subscribers is lost without harm", async ({ here, there }) => {
      here.publish("audit.moved", { position: 1 });
      await turns(20);
      const heard = collect(there);
      await there.ready();
      here.publish("audit.moved", { position: 2 });
      await heard.until(2);
    });

    withDoors("after closing, nothing is delivered and publishing is harmless", async ({ here, there }) => {
      const heard = collect(there);
      await there.ready();
      here.publish("audit.moved", { position: 1 });
      await there.close();
      const before = heard.positions.length;
      for (const bus of [here, there]) bus.publish("audit.moved", { position: 2 });
      await there.close();
      await there.ready();
      await turns(20);
      expect(heard.positions).toHaveLength(before);
    });
  });
}

/** Subscribes, and keeps the positions that come. */
function collect(bus: Bus) {
  const positions: number[] = [];
  const waiting: { isThere: () => boolean; resolve: () => void }[] = [];
  const stop = bus.subscribe("audit.moved", ({ position }) => {
    positions.push(position);
    for (const { isThere, resolve } of waiting) if (isThere()) resolve();
  });
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      if (isThere()) resolve();
      else waiting.push({ isThere, resolve });
    });
  return {
    positions,
    stop,
    until: (position: number) => until(() => positions.includes(position)),
    first: async (count: number) => {
      await until(() => positions.length >= count);
      return positions.slice(0, count);
    },
  };
}

function noError(error: unknown): void {
  throw error;
}

/** Of the event loop. */
async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/**
 * A bus with a server in between, all in one process: a subscription counts once the server has heard of it, subscriptions and
 * hints take two turns of the event loop, and the door `there` can be cut off. What a bus of two processes may do and one process never does.
 */
export function farBus(): BusUnderTest {
  const server = new Set<Door>();
  let isCut = false;
  const openDoor = ({ namespace, onListenerError }: BusOptions, isOverThere: boolean): Bus => {
    const door: Door = { isReached: () => !(isOverThere && isCut), listeners: new Map(), known: new Set() };
    const own = channelOf(namespace, "audit.moved");
    server.add(door);
    return {
      publish: (topic, hint) => {
        const channel = channelOf(namespace, topic);
        if (!server.has(door) || !door.isReached()) return;
        setImmediate(() => {
          for (const one of server) if (one.isReached() && one.known.has(channel)) setImmediate(deliver, one, hint);
        });
      },
      subscribe: (_, listener) => {
        const key = Symbol("subscription");
        door.listeners.set(key, (hint) => {
          try {
            listener(hint as never);
          } catch (error) {
            onListenerError(error);
          }
        });
        void turns(2).then(() => door.known.add(own));
        return () => door.listeners.delete(key);
      },
      // Longer than what any subscription before it takes.
      ready: () => turns(3),
      close: () => {
        server.delete(door);
        door.listeners.clear();
        return Promise.resolve();
      },
    };
  };
  return {
    open: async (options) => ({ here: openDoor(options, false), there: openDoor(options, true) }),
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
  };
}

interface Door {
  readonly isReached: () => boolean;
  readonly listeners: Map<symbol, (hint: Hints[Topic]) => void>;
  /** Channels that the server sends to this door. */
  readonly known: Set<string>;
}

function deliver({ listeners }: Door, hint: Hints[Topic]): void {
  for (const listener of listeners.values()) listener(hint);
}
