import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { openDropWatch } from "./open-drop-watch.ts";

function setUp() {
  const clock = manualClock(0);
  const counted = { dropped: 40 };
  let look: () => void = () => undefined;
  const watch = openDropWatch({
    dropped: () => counted.dropped,
    clock,
    every: (_, act) => {
      look = act;
      return () => undefined;
    },
  });
  return { clock, counted, watch, look: () => look() };
}

test("what was dropped before it looked says nothing", () => {
  expect(setUp().watch.dropping()).toBeUndefined();
});

test("dropping that goes on is one stretch, and after a pause it is another", () => {
  const { clock, counted, watch, look } = setUp();
  for (let minute = 1; minute <= 5; minute += 1) {
    clock.advance(60_000);
    counted.dropped += 1;
    look();
  }
  expect(watch.dropping()).toEqual({ since: 60_000, last: 300_000 });
  clock.advance(11 * 60_000);
  counted.dropped += 1;
  expect(watch.dropping()).toEqual({ since: 960_000, last: 960_000 });
});
