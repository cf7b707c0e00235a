import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSocketPlaces } from "./socket-places.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const rules = { agents: 6, hellos: 4, helloMs: 10_000 };

function setUp() {
  const told: string[] = [];
  const places = openSocketPlaces<{ late(): void; cut(): void }>(rules);
  const enter = (name: string, block = name) => {
    const holder = { late: () => void told.push(`${name} late`), cut: () => void told.push(`${name} cut`) };
    places.makeRoom(block);
    places.take(holder, block);
    return holder;
  };
  return { told, places, enter };
}

test("so many may be without a proof; a proof, an end or a time that is up makes room", () => {
  const { told, places, enter } = setUp();
  const [a, b] = ["a", "b", "c", "d"].map((name) => enter(name, "one"));
  expect(() => enter("e", "one")).toThrow("socket.no_room: 4 agents are connecting; try again in 10 s");
  if (a === undefined || b === undefined) throw new Error("nobody entered");
  places.prove(a);
  enter("e", "one");
  expect(() => enter("f", "one")).toThrow("socket.no_room");
  places.leave(b);
  enter("f", "one");
  vi.advanceTimersByTime(rules.helloMs);
  expect(told).toEqual(["c late", "d late", "e late", "f late"]);
});

test("an address with more places gives its oldest up to one with fewer, never to its own or to an equal one", () => {
  const { told, enter } = setUp();
  for (const name of ["x1", "x2", "x3"]) enter(name, "x");
  enter("y1", "y");
  enter("y2", "y");
  expect(told).toEqual(["x1 cut"]);
  expect(() => enter("y3", "y")).toThrow("socket.no_room");
  expect(() => enter("x4", "x")).toThrow("socket.no_room");
  enter("z1", "z");
  expect(told).toEqual(["x1 cut", "x2 cut"]);
});

test("those that are connected have a bound of their own, and nobody is turned out for a newcomer", () => {
  const { told, places, enter } = setUp();
  const known = ["a", "b", "c", "d", "e", "f"].map((name) => {
    const holder = enter(name);
    places.prove(holder);
    return holder;
  });
  expect(() => enter("g")).toThrow("there are 6 agents connected");
  vi.advanceTimersByTime(rules.helloMs);
  expect(told).toEqual([]);
  if (known[0] !== undefined) places.leave(known[0]);
  enter("g");
});
