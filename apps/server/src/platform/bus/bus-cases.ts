import { describe, expect, test } from "vitest";
import type { Bus, Hint } from "./bus.ts";

/** One suite for every adapter. `open` gets the place where errors of listeners are reported. */
export function busCases(name: string, open: (onListenerError: (error: unknown) => void) => Promise<Bus> | Bus): void {
  const noError = (error: unknown) => {
    throw error;
  };
  /** Subscribes and gives the next `count` hints. */
  const nextHints = (bus: Bus, count: number) =>
    new Promise<Hint[]>((resolve) => {
      const got: Hint[] = [];
      const stop = bus.subscribe("audit.moved", (hint) => {
        got.push(hint);
        if (got.length < count) return;
        stop();
        resolve(got);
      });
    });

  describe(`bus: ${name}`, () => {
    test("a hint reaches every subscriber, in the order of one sender", async () => {
      const bus = await open(noError);
      const both = [nextHints(bus, 3), nextHints(bus, 3)];
      for (const position of [1, 2, 3]) bus.publish("audit.moved", { position });
      for (const got of await Promise.all(both)) expect(got.map((hint) => hint.position)).toEqual([1, 2, 3]);
      await bus.close();
    });

    test("publishing returns before anybody listens", async () => {
      const bus = await open(noError);
      let heard = 0;
      const arrived = nextHints(bus, 1);
      bus.subscribe("audit.moved", () => {
        heard += 1;
      });
      bus.publish("audit.moved", { position: 1 });
      expect(heard).toBe(0);
      await arrived;
      await bus.close();
    });

    test("a subscriber that stopped hears nothing more, and stopping twice is harmless", async () => {
      const bus = await open(noError);
      let heard = 0;
      const stop = bus.subscribe("audit.moved", () => {
        heard += 1;
      });
      stop();
      stop();
      const arrived = nextHints(bus, 1);
      bus.publish("audit.moved", { position: 1 });
      await arrived;
      expect(heard).toBe(0);
      await bus.close();
    });

    test("a function that is subscribed twice is two subscriptions", async () => {
      const bus = await open(noError);
      let heard = 0;
      const listener = () => {
        heard += 1;
      };
      bus.subscribe("audit.moved", listener);
      bus.subscribe("audit.moved", listener)();
      const arrived = nextHints(bus, 1);
      bus.publish("audit.moved", { position: 1 });
      await arrived;
      expect(heard).toBe(1);
      await bus.close();
    });

    test("a subscriber that throws is reported and disturbs nobody else", async () => {
      const errors: unknown[] = [];
      const bus = await open((error) => errors.push(error));
      bus.subscribe("audit.moved", () => {
        throw new Error("broken listener");
      });
      const arrived = nextHints(bus, 1);
      bus.publish("audit.moved", { position: 7 });
      expect(await arrived).toEqual([{ position: 7 }]);
      expect(errors).toHaveLength(1);
      await bus.close();
    });

    test("a hint without subscribers is lost without harm", async () => {
      const bus = await open(noError);
      bus.publish("audit.moved", { position: 1 });
      const arrived = nextHints(bus, 1);
      await Promise.resolve();
      bus.publish("audit.moved", { position: 2 });
      expect((await arrived).at(-1)?.position).toBeGreaterThan(0);
      await bus.close();
    });

    test("after closing, nothing is delivered and publishing is harmless", async () => {
      const bus = await open(noError);
      let heard = 0;
      bus.subscribe("audit.moved", () => {
        heard += 1;
      });
      bus.publish("audit.moved", { position: 1 });
      await bus.close();
      const before = heard;
      bus.publish("audit.moved", { position: 2 });
      await bus.close();
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      expect(heard).toBe(before);
    });
  });
}
