import { expect, test } from "vitest";
import { authLimits } from "./limits.ts";
import { openPlaces } from "./places.ts";

const ada = { id: "usr_ada", passwordChangedAt: 5 };
const bob = { id: "usr_bob", passwordChangedAt: 5 };

test("an address has its own lane, its neighbours share one, and everywhere else is strange", () => {
  const places = openPlaces();
  places.remember(ada, "192.0.2.1");
  expect(places.laneOf(ada, "192.0.2.1")).toBe("address/usr_ada/192.0.2.1");
  expect(places.laneOf(ada, "192.0.2.7")).toBe("block/usr_ada/192.0.2.0/24");
  expect(places.laneOf(ada, "192.0.3.1")).toBeUndefined();
  expect(places.laneOf(bob, "192.0.2.1")).toBeUndefined();
  expect(places.laneOf(undefined, "192.0.2.1")).toBeUndefined();
});

test("another password makes every place a strange one", () => {
  const places = openPlaces();
  places.remember(ada, "192.0.2.1");
  const after = { ...ada, passwordChangedAt: 6 };
  expect(places.laneOf(after, "192.0.2.1")).toBeUndefined();
  places.remember(after, "198.51.100.1");
  expect(places.laneOf(after, "192.0.2.1")).toBeUndefined();
  expect(places.laneOf(after, "198.51.100.1")).toBeDefined();
});

test("a user has a bounded number of places, and the longest unused is forgotten", () => {
  const places = openPlaces();
  for (let at = 0; at < authLimits.knownAddresses; at += 1) places.remember(ada, `10.0.${at}.1`);
  places.remember(ada, "10.0.0.1");
  places.remember(ada, "10.1.0.1");
  expect(places.laneOf(ada, "10.0.0.1")).toBeDefined();
  expect(places.laneOf(ada, "10.0.1.1")).toBeUndefined();
});
