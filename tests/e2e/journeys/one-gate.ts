import { enter } from "../browser.ts";
import { focusedWords, isFocused } from "../in-page.js";
import type { Stage } from "../stage.ts";
import { until } from "../../support/until.ts";
import { admin } from "../world.ts";
import { idOf, nameOf } from "./plugin-gates.ts";

/** The words of the two plugins that these plays need. */
export const heldWord = "held";
export const twiceWord = "twice";

/** Far more than a key sends in the second in which somebody holds it too long. */
const repeats = 40;

/** A key that stays down opens one gate, wherever the focus goes meanwhile. */
export async function heldKey(stage: Stage): Promise<void> {
  const { page, window } = stage;
  const dialog = await openPlugin(stage, heldWord);
  await hold(page, "Accept 1.0.0…", () => dialog("Accept").waitFor());
  await dialog("Accept").waitFor();
  await expectStatus(stage, heldWord, "verified");

  const activate = page.getByRole("button", { name: /^Activate 1/ }).first();
  await hold(page, "Accept 1.0.0", () => activate.waitFor());
  await window.quiet();
  await expectStatus(stage, heldWord, "installed");
  await statusHasFocus(stage);

  await hold(page, "Activate 1.0.0…", () => dialog("Activate").waitFor());
  await window.quiet();
  await expectStatus(stage, heldWord, "installed");
  await hold(page, "Activate 1.0.0", () => page.getByRole("button", { name: "Disable 1.0.0…" }).waitFor());
  await window.quiet();
  await expectStatus(stage, heldWord, "active");
  await statusHasFocus(stage);
}

/** Neither does a second press, as soon as the next button is there. */
export async function pressedTwice(stage: Stage): Promise<void> {
  const { page, window, judge } = stage;
  const dialog = await openPlugin(stage, twiceWord);
  await focusOn(page, "Accept 1.0.0…");
  await page.keyboard.press("Enter");
  await dialog("Accept").waitFor();
  await focusOn(page, "Accept 1.0.0");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Activate 1/ }).waitFor();
  await page.keyboard.press("Enter");
  await window.quiet();
  await expectStatus(stage, twiceWord, "installed");

  await focusOn(page, "Activate 1.0.0…");
  await page.keyboard.press("Enter");
  await dialog("Activate").getByText("host:firewall", { exact: true }).waitFor();
  await dialog("Activate").getByText("The sandbox of this host:").waitFor();
  await judge("the dialog that activates");
  await page.keyboard.press("Enter");
  await dialog("Activate").waitFor({ state: "hidden" });
  await window.quiet();
  await expectStatus(stage, twiceWord, "installed");
}

async function openPlugin({ page, window }: Stage, word: string) {
  await enter(window, admin);
  await page.goto(`/plugins/${idOf(word)}`);
  await page.getByRole("heading", { level: 1, name: nameOf(word) }).waitFor();
  return (verb: "Accept" | "Activate") => page.getByRole("dialog", { name: `${verb} ${nameOf(word)} 1.0.0` });
}

/** The first press is a press, the others are the ones a keyboard sends by itself while the key is down. */
async function hold(page: Stage["page"], name: string, happened: () => Promise<void>): Promise<void> {
  await focusOn(page, name);
  await page.keyboard.down("Enter");
  for (let times = 0; times < repeats; times += 1) await page.keyboard.down("Enter");
  await happened();
  for (let times = 0; times < repeats; times += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
}

async function focusOn(page: Stage["page"], name: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  await button.focus();
  await until(`${name} has the focus`, () => button.evaluate(isFocused));
}

async function statusHasFocus({ page }: Stage): Promise<void> {
  const words = await page.evaluate(focusedWords);
  if (!/^span "(Accepted|Active)/.test(words)) throw new Error(`the focus is not on the new status but on ${words}`);
}

async function expectStatus({ world, window }: Stage, word: string, status: string): Promise<void> {
  const answer = await window.context.request.get(`${world.baseUrl}/api/plugins/lifecycle?limit=200`);
  const { items } = (await answer.json()) as { items: readonly { id: string; status: string }[] };
  const found = items.find(({ id }) => id === idOf(word))?.status;
  if (found !== status) throw new Error(`expected ${idOf(word)} to be ${status}, found ${found}`);
}
