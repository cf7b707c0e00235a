import type { Browser } from "playwright-core";
import type { Checks } from "./checks.ts";
import { approvalsInbox } from "./journeys/approvals-inbox.ts";
import { planCompose } from "./journeys/plan-compose.ts";
import { planProgram } from "./journeys/plan-program.ts";
import { planReview, planWithdrawn, stopAllPlans } from "./journeys/plan-review.ts";
import { planRun } from "./journeys/plan-run.ts";
import { planSteps } from "./journeys/plan-steps.ts";
import { planUpdate } from "./journeys/plan-update.ts";
import { planWaves } from "./journeys/plan-waves.ts";
import type { Settings } from "./settings.ts";
import { allForms, formWords, playOn, shortForms } from "./stage.ts";
import { World } from "./world.ts";

const journeys = [
  { name: "plan a change of a host, review it, reject it", play: planReview },
  { name: "keep a plan back, offer it, withdraw it", play: planWithdrawn },
  { name: "compose a plan for hosts of a tag, read them, submit it", play: planCompose },
  { name: "approve a plan for hosts that trust the server, apply it, read their answers", play: planRun },
  { name: "find what waits for me, reject it there, see why another is not mine", play: approvalsInbox },
  { name: "watch hosts take a change, confirm it, take it back and fail", play: planSteps },
  { name: "stop all plans, and lift the stop", play: stopAllPlans },
  { name: "replace a program on hosts, and see what keeps its artifact", play: planProgram },
  { name: "update the agents of a tag, up to an approved plan", play: planUpdate },
  { name: "apply a plan in waves, stop it, go on, take it back", play: planWaves },
] as const;

/** Plans over a real server, for hosts that say what they are like. */
export async function judgePlans(checks: Checks, browser: Browser, { short, seed }: Settings): Promise<void> {
  if (!checks.wants(...journeys.flatMap(({ name }) => allForms.map((form) => nameOf(name, form))))) return;
  await using world = await new World().start();
  for (const [at, { name, play }] of journeys.entries()) {
    for (const [nth, form] of (short ? shortForms(at) : allForms).entries()) {
      await checks.run(nameOf(name, form), () => playOn(browser, world, form, `${seed}-${at}-${nth}`, play));
    }
  }
}

function nameOf(name: string, form: Parameters<typeof formWords>[0]): string {
  return `${name} by ${formWords(form)}`;
}
