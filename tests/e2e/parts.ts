import type { Browser } from "playwright-core";
import { judgeAudit } from "./audit.ts";
import { judgeBudgets } from "./budgets.ts";
import { Checks } from "./checks.ts";
import { judgeFleet } from "./fleet.ts";
import { judgeGallery } from "./gallery.ts";
import { playJourneys } from "./journeys.ts";
import { judgeLists } from "./lists.ts";
import { judgeLiveState } from "./live.ts";
import { judgeMap } from "./map.ts";
import { judgePages } from "./pages.ts";
import { judgePlans } from "./plans.ts";
import type { Settings } from "./settings.ts";

interface Part {
  readonly name: string;
  readonly lane: 1 | 2;
  readonly judge: (checks: Checks, browser: Browser, settings: Settings) => Promise<void>;
}

/** Every part has servers and windows of its own, so two of them may run at once. Those of one lane run one after the other. */
const parts: readonly Part[] = [
  { name: "the journeys", lane: 1, judge: playJourneys },
  { name: "the pages", lane: 2, judge: judgePages },
  { name: "the gallery", lane: 2, judge: judgeGallery },
  { name: "the fleet", lane: 1, judge: judgeFleet },
  { name: "the map", lane: 2, judge: judgeMap },
  { name: "the plans", lane: 2, judge: judgePlans },
  { name: "the lists", lane: 1, judge: judgeLists },
  { name: "what stays open", lane: 2, judge: judgeLiveState },
  { name: "the verdict on the audit log", lane: 1, judge: judgeAudit },
  { name: "the budgets", lane: 2, judge: judgeBudgets },
];

/** Runs both lanes; what they say comes in the order of the table. */
export async function judgeParts(browser: Browser, settings: Settings): Promise<{ passed: number; failed: number }> {
  const work = parts.map((part) => ({
    ...part,
    checks: new Checks(settings.only),
    done: Promise.withResolvers<void>(),
  }));
  const lanes = [1, 2].map(async (lane) => {
    for (const { name, judge, checks, done } of work.filter((one) => one.lane === lane)) {
      try {
        await judge(checks, browser, settings);
      } catch (error) {
        checks.fail(`${name} broke off`, error);
      }
      done.resolve();
    }
  });
  for (const { checks, done } of work) {
    checks.speak();
    await done.promise;
  }
  await Promise.all(lanes);
  const sum = (of: "passed" | "failed") => work.reduce((total, { checks }) => total + checks[of], 0);
  return { passed: sum("passed"), failed: sum("failed") };
}
