import type { PlanWave } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import {
  cellsOf,
  countAll,
  hostsOfCell,
  markOfWave,
  nameWave,
  sayHaltRule,
  sayWave,
  sayWaveHosts,
  wallOf,
} from "./wave-words.ts";

const wave = (more: Partial<PlanWave> = {}): PlanWave => ({
  index: 0,
  kind: "rest",
  tag: null,
  nodes: 4,
  state: "open",
  tasks: {},
  ...more,
});

const canary = wave({ kind: "canary", nodes: 1, state: "ended", tasks: { applied: 1 } });
const tagged = wave({ index: 1, kind: "tag", tag: "fra1", tasks: { applied: 1, sent: 1, rolled_back: 1, queued: 1 } });
const rest = wave({ index: 2, nodes: 1_200, state: "shut" });
const waves = [canary, tagged, rest];

describe("a wave", () => {
  test("has a name, its hosts, and what became of them in the order of what is over", () => {
    expect(waves.map(nameWave)).toEqual(["Canary", "Wave 2", "Wave 3"]);
    expect(waves.map(sayWaveHosts)).toEqual(["1 host", "tag fra1, 4 hosts", "1,200 hosts"]);
    expect(waves.map((each) => sayWave(each, waves, "running"))).toEqual([
      "1 confirmed",
      "1 confirmed, 1 rolled back, 1 under way, 1 queued",
      "shut until wave 2 has ended",
    ]);
  });

  test("that is shut is barred once the plan does not run", () => {
    expect(waves.map((each) => wallOf(each, "running"))).toEqual(["passed", "open", "shut"]);
    expect(waves.map((each) => wallOf(each, "halted"))).toEqual(["passed", "open", "barred"]);
    expect(sayWave(rest, waves, "halted")).toBe("shut, nothing was sent");
    expect(sayWave(rest, [canary, rest], "running")).toBe("shut");
  });

  test("that has ended is marked by whether all of its hosts have the change", () => {
    const ended = wave({ state: "ended", tasks: { applied: 3, refused: 1 } });
    expect([canary, tagged, rest, ended].map(markOfWave)).toEqual(["ok", "run", "idle", "warn"]);
  });
});

test("all waves together are one count", () => {
  expect(countAll(waves)).toEqual({ applied: 2, sent: 1, rolled_back: 1, queued: 1 });
});

test("the page says when a plan halts by itself", () => {
  const says = (halt: Parameters<typeof sayHaltRule>[0]["halt"], items = waves) => sayHaltRule({ items, halt });
  expect(says({ after: 1 })).toMatch(/^At the first host that has not kept the change\. Then nothing more is sent;/);
  expect(says({ after: 3 })).toMatch(/^At 3 hosts of one wave that have not kept the change\./);
  expect(says({ after: 3 }, [rest])).toMatch(/^At 3 hosts that have not kept/);
  expect(says({ percent: 10 })).toMatch(/^When 10 % of the hosts of one wave have not kept the change\./);
  expect(says(null)).toMatch(/^Only by hand\./);
});

describe("the cells of a wave", () => {
  test("are one for each host, what has ended before what is under way and what waits", () => {
    expect(cellsOf(tagged, 1)).toEqual(["applied", "rolled_back", "sent", "queued"]);
    expect(cellsOf(wave({ nodes: 2, state: "shut" }), 1)).toEqual([null, null]);
  });

  test("stand for several hosts where there are more than 2,000, and take the loudest of their states", () => {
    expect([1, 2_000, 2_001, 10_000].map(hostsOfCell)).toEqual([1, 1, 2, 5]);
    const large = wave({ nodes: 12, tasks: { applied: 7, failed_after_change: 1, sent: 1, queued: 1 } });
    expect(cellsOf(large, 5)).toEqual(["applied", "failed_after_change", null]);
  });
});
