import type { PlanWave } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { sayWave, wavesLines } from "./wave-words.ts";

const canary: PlanWave = { index: 0, kind: "canary", tag: null, nodes: 1, state: "ended", tasks: { applied: 1 } };
const tagged: PlanWave = { index: 1, kind: "tag", tag: "web", nodes: 4, state: "open", tasks: { applied: 1, sent: 3 } };
const rest: PlanWave = { index: 2, kind: "rest", tag: null, nodes: 5, state: "shut", tasks: { queued: 5 } };

test("a wave is told with its hosts, and one that has ended with how", () => {
  const waves = [canary, tagged, rest, { ...canary, tasks: { applied: 2, rolled_back: 1 }, nodes: 3 }];
  expect(waves.map((wave) => sayWave(wave, 3))).toEqual([
    "wave 1 of 3 (canary, 1 host) has ended: 1 applied",
    "wave 2 of 3 (tag web, 4 hosts) is open",
    "wave 3 of 3 (5 hosts) is shut",
    "wave 1 of 3 (canary, 3 hosts) has ended: 2 applied, 1 rolled_back",
  ]);
});

test("a plan whose hosts are all in one wave has no waves to tell of, only when it halts", () => {
  expect(wavesLines({ items: [canary, rest], halt: { after: 1 } })).toEqual([
    "wave 1 of 2 (canary, 1 host) has ended: 1 applied",
    "wave 3 of 2 (5 hosts) is shut",
    "halts by itself when 1 host of a wave has not kept the change",
  ]);
  expect(wavesLines({ items: [rest], halt: { percent: 10 } })).toEqual([
    "halts by itself when 10 % of the hosts of a wave have not kept the change",
  ]);
  expect(wavesLines({ items: [rest], halt: { after: 2 } })).toEqual([
    "halts by itself when 2 hosts of a wave have not kept the change",
  ]);
  expect(wavesLines({ items: [rest], halt: null })).toEqual([]);
});
