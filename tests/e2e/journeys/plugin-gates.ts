import { enter } from "../browser.ts";
import { prove } from "../prove.ts";
import type { Stage } from "../stage.ts";
import { admin, type World } from "../world.ts";

/** One plugin for every play of this journey; placed before the server starts. */
export function placeGatePlugins(world: World, words: readonly string[]): void {
  for (const word of words) {
    world.bundle({
      id: idOf(word),
      name: nameOf(word),
      capabilities: ["host:firewall", "log:write"],
      contributions: { nav: [navOf(word)], enhancements: [] },
    });
  }
}

/** Takes a plugin through its gates by the bytes it has, sees its page come, and sees it go. Raising asks for the password; lowering does not. */
export async function pluginGates(stage: Stage): Promise<void> {
  const { world, page, hand, window, word, judge } = stage;
  const name = nameOf(word);
  await enter(window, admin);
  await page.goto("/");
  await hand.goTo("Lifecycle");
  await hand.openRow(page.getByRole("table", { name: "Plugins" }), name);
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await page.getByText("Every check passed").first().waitFor();
  await hand.press(page.getByRole("button", { name: "Check now" }));
  await page.getByRole("heading", { name: "Checked now" }).waitFor();
  await judge("a verified plugin");

  // The sign-in grows old: the password will be asked for, and the acceptance goes on.
  world.jump();
  window.expectComplaint(/status of 403.*\/api\/plugins\/lifecycle/);
  await hand.press(page.getByRole("button", { name: "Accept 1.0.0…" }));
  const dialog = page.getByRole("dialog", { name: `Accept ${name} 1.0.0` });
  const sha256 = await digestOf(world, window, word);
  await dialog.getByText(sha256, { exact: true }).first().waitFor({ state: "attached" });
  await judge("the dialog that accepts");
  await hand.press(dialog.getByRole("button", { name: "Accept 1.0.0" }));
  await prove(stage);
  await dialog.waitFor({ state: "hidden" });

  await hand.press(page.getByRole("button", { name: "Activate 1.0.0…" }));
  const activation = page.getByRole("dialog", { name: `Activate ${name} 1.0.0` });
  await activation.waitFor();
  await judge("the dialog that activates");
  await hand.press(activation.getByRole("button", { name: "Activate 1.0.0" }));
  await activation.waitFor({ state: "hidden" });
  const disable = page.getByRole("button", { name: /^Disable .*…$/ });
  await disable.waitFor();
  await judge("an active plugin");
  await hand.goTo(titleOf(word));
  await page.waitForURL(`**/apps/${idOf(word)}`);
  await page.getByRole("heading", { level: 1 }).filter({ visible: true }).first().waitFor();
  await judge("a contributed page");

  await hand.goTo("Lifecycle");
  await hand.openRow(page.getByRole("table", { name: "Plugins" }), name);
  await disable.waitFor();
  // The page looks until the server knows how the plugin is; disabled in the middle of that, it could only fail.
  await window.quiet();
  // And disabling asks nobody.
  world.jump();
  await hand.press(disable);
  const confirm = page.getByRole("dialog", { name: /^Disable / });
  await hand.press(confirm.getByRole("button", { name: /^Disable / }));
  await confirm.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Activate 1.0.0…" }).waitFor();
  await page.getByRole("link", { name: titleOf(word), exact: true }).waitFor({ state: "detached" });
}

async function digestOf(world: World, { context }: Stage["window"], word: string): Promise<string> {
  const answer = await context.request.get(`${world.baseUrl}/api/plugins/lifecycle?limit=200`);
  const { items } = (await answer.json()) as { items: readonly { id: string; artifactSha256: string }[] };
  return items.find(({ id }) => id === idOf(word))?.artifactSha256 ?? `no plugin ${idOf(word)}`;
}

export const idOf = (word: string) => `acme-gate-${word}`;
export const nameOf = (word: string) => `Gate keeper ${word}`;
const titleOf = (word: string) => `Gates of ${word}`;
const navOf = (word: string) => ({
  component: "plugin.page",
  title: titleOf(word),
  path: `/apps/${idOf(word)}`,
  scope: "plan:read" as const,
});
