import type { Browser } from "playwright-core";
import type { Checks } from "./checks.ts";
import { alertLife } from "./journeys/alert-life.ts";
import { artifactLife } from "./journeys/artifact-life.ts";
import { driftBack } from "./journeys/drift-back.ts";
import { firstPassword } from "./journeys/first-password.ts";
import { heldKey, heldWord, pressedTwice, twiceWord } from "./journeys/one-gate.ts";
import { noLogsYet, searchLogs } from "./journeys/host-logs.ts";
import { planFirewall } from "./journeys/plan-compose.ts";
import { placeOfficialPlugins, planDraft } from "./journeys/plan-draft.ts";
import { planNetwork } from "./journeys/plan-network.ts";
import { metricsCompare } from "./journeys/metrics-compare.ts";
import { placeGatePlugins, pluginGates } from "./journeys/plugin-gates.ts";
import { tokenOnce } from "./journeys/token-once.ts";
import { userLife } from "./journeys/user-life.ts";
import { openReceiver, webhookLife } from "./journeys/webhook-life.ts";
import { whoDidIt } from "./journeys/who-did-it.ts";
import { seedWorldFleet } from "./seed-log.ts";
import type { Settings } from "./settings.ts";
import { allForms, type Form, formWords, playOn, shortForms } from "./stage.ts";
import { World } from "./world.ts";

const onOneServer = [
  // First: the others move the clock of the server on, and what a host said when it was told is put right by that.
  { name: "compare what hosts measured, find the minute at which one fell", play: metricsCompare },
  { name: "find a line of a host's log, its minute, and follow what comes", play: searchLogs },
  { name: "find that a host was changed by hand, compare it, plan it back", play: driftBack },
  { name: "take a plugin through its gates", play: pluginGates },
  { name: "find who did something", play: whoDidIt },
  { name: "issue a token, see it once, revoke it", play: tokenOnce },
  { name: "create a user, change the role, disable", play: userLife },
  { name: "ask a plugin for a draft on its own page", play: planDraft },
  { name: "make a firewall plan from a form, mend it, submit it", play: planFirewall },
  { name: "make a network of hosts by the keys that they made, submit it", play: planNetwork },
] as const;

const atKeys: Form = { hand: "keyboard", size: "desktop", theme: "light" };
const atOneGate = [
  { name: "a key that is held down opens one gate", play: heldKey },
  { name: "two presses open one gate, and activating says what it reaches", play: pressedTwice },
] as const;

/** The journeys that are possible so far, each by mouse and by keyboard alone, at both sizes and in both themes. */
export async function playJourneys(checks: Checks, browser: Browser, { short, seed }: Settings): Promise<void> {
  const formsOf = (at: number): readonly Form[] => (short ? shortForms(at) : allForms);
  const wordOf = (at: number) => `${seed}-${at}`;
  for (const form of formsOf(0)) {
    await checks.run(`sign in and rotate the first password by ${formWords(form)}`, async () => {
      // Its own server: the first password can be rotated once.
      await using world = await new World().start();
      return await playOn(browser, world, form, wordOf(0), firstPassword);
    });
  }
  for (const form of formsOf(1)) {
    await checks.run(`see an artifact arrive, read it, remove it by ${formWords(form)}`, async () => {
      // Its own server: at first it has none.
      await using world = await new World().start();
      return await playOn(browser, world, form, wordOf(0), artifactLife);
    });
  }
  for (const form of formsOf(2)) {
    await checks.run(`add a webhook, send a test that verifies, remove it by ${formWords(form)}`, async () => {
      // Its own server, which believes the receiver's authority.
      await using place = await openReceiver();
      await place.world.start();
      return await playOn(browser, place.world, form, wordOf(0), webhookLife(place.peer));
    });
  }
  for (const form of formsOf(2)) {
    await checks.run(
      `see an alert, acknowledge it, silence its rule, change a rule by ${formWords(form)}`,
      async () => {
        // Its own server: one that looks at its hosts more often.
        await using world = await new World({}, ["minutes-that-hurry.ts"]).start();
        return await playOn(browser, world, form, wordOf(0), alertLife);
      },
    );
  }
  await using world = new World();
  placeGatePlugins(world, [...allForms.map((_form, at) => wordOf(at)), heldWord, twiceWord]);
  await placeOfficialPlugins(world);
  await seedWorldFleet(world.dataDir, { nodes: 4, seed: 6, now: Date.UTC(2026, 10, 16) });
  await world.start();
  await checks.run("logs of no host say how root begins", () => playOn(browser, world, atKeys, "", noLogsYet));
  for (const [at, { name, play }] of onOneServer.entries()) {
    for (const [nth, form] of formsOf(at + 1).entries()) {
      await checks.run(`${name} by ${formWords(form)}`, () => playOn(browser, world, form, wordOf(nth), play));
    }
  }
  for (const { name, play } of atOneGate) {
    await checks.run(name, () => playOn(browser, world, atKeys, "", play));
  }
  await checks.run("no browser reported anything to the policy's address during the journeys", async () => {
    const reports = world.policyReports();
    if (reports > 0) throw new Error(`${reports} reports`);
  });
}
