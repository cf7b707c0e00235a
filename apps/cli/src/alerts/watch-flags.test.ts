import { UsageError } from "@gatehouse/command-line";
import { type AlertWatch, builtInAlertRules } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import { changeWatch, type GivenWatch, readWatch } from "./watch-flags.ts";

const topic = "alert rule-add";
const metric = { kind: "metric", metric: "disk", crosses: "above" } as const;

describe("the condition of a new rule", () => {
  test.each<[string, GivenWatch, AlertWatch]>([
    [
      "of a metric has what is not written",
      { metric: "disk", above: "90" },
      { ...metric, threshold: 90, holdMinutes: 5, recover: { threshold: 90, minutes: 2 } },
    ],
    [
      "of a metric has what is written",
      { metric: "disk", above: "90.5", for: "10", recover: "80", "recover-for": "3" },
      { ...metric, threshold: 90.5, holdMinutes: 10, recover: { threshold: 80, minutes: 3 } },
    ],
    ["may be that nodes are offline", { offline: true, for: "0" }, { kind: "offline", holdMinutes: 0 }],
    ["may be that nodes come and go", { flapping: "3" }, { kind: "flapping", times: 3, minutes: 20 }],
  ])("%s", (_, given, watch) => {
    expect(readWatch(given, topic)).toEqual(watch);
  });

  test.each<[GivenWatch, string]>([
    [{}, "write one of"],
    [{ metric: "disk", offline: true }, "write one of"],
    [{ metric: "disk" }, "--above or --below"],
    [{ metric: "disk", above: "1", below: "2" }, "not both"],
    [{ metric: "disk", above: "full" }, "--above takes a number"],
    [{ metric: "disk", above: "101" }, "--above and --below: the threshold is more"],
    [{ metric: "disk", above: "90", recover: "95" }, "--recover: it must not recover beyond"],
    [{ metric: "disk", above: "90", for: "61" }, "--for: "],
    [{ flapping: "1" }, "--flapping: "],
  ])("%j is refused", (given, words) => {
    expect(() => readWatch(given, topic)).toThrow(UsageError);
    expect(() => readWatch(given, topic)).toThrow(words);
  });
});

describe("a condition that is changed", () => {
  const { disk, offline, flapping } = builtInAlertRules;
  test.each<[AlertWatch, GivenWatch, object]>([
    [
      disk.watch,
      { above: "80", recover: "75" },
      { threshold: 80, holdMinutes: 5, recover: { threshold: 75, minutes: 2 } },
    ],
    [disk.watch, { for: "1" }, { threshold: 90, holdMinutes: 1 }],
    [offline.watch, { for: "0" }, { kind: "offline", holdMinutes: 0 }],
    [flapping.watch, { within: "10" }, { times: 6, minutes: 10 }],
  ])("keeps of %j what %j does not say", (before, given, watch) => {
    expect(changeWatch(before, given, topic)).toMatchObject(watch);
  });

  test.each<[AlertWatch, GivenWatch]>([
    [disk.watch, { within: "5" }],
    [offline.watch, { above: "5" }],
    [flapping.watch, { for: "5" }],
  ])("%j refuses what does not fit it: %j", (before, given) => {
    expect(() => changeWatch(before, given, topic)).toThrow("does not fit");
  });
});
