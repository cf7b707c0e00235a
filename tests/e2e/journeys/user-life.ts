import { enter } from "../browser.ts";
import { prove } from "../prove.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** Creates a user, gives another role, and disables the account, which then cannot sign in. */
export async function userLife(stage: Stage): Promise<void> {
  const { world, page, hand, window, word, judge } = stage;
  const name = `ines-${word}`;
  const password = "several otters in a boat";
  await enter(window, admin);
  await page.goto("/");
  await hand.goTo("Users");
  await hand.press(page.getByRole("button", { name: "Create a user…" }));
  const dialog = page.getByRole("dialog", { name: "Create a user" });
  await hand.write(dialog.getByLabel("Name", { exact: true }), name);
  await hand.choose(dialog.getByLabel("Auditor", { exact: true }));
  await hand.write(dialog.getByLabel("First password", { exact: true }), password);
  await judge("the dialog that creates a user");
  await hand.press(dialog.getByRole("button", { name: "Create the user" }));
  await dialog.waitFor({ state: "hidden" });
  const table = page.getByRole("table", { name: "Users" });
  await table.getByRole("row").filter({ hasText: name }).waitFor();
  await judge("the list of users");

  // The sign-in grows old: a role needs the password again, and is then given without another click.
  world.jump();
  window.expectComplaint(/status of 403.*\/api\/users/);
  await hand.openRow(table, name);
  const sheet = page.getByRole("dialog", { name, exact: true });
  await hand.choose(sheet.getByLabel("Operator", { exact: true }));
  await judge("a user");
  await confirmed(`Make ${name} an operator`, () => prove(stage));
  await table.getByRole("row").filter({ hasText: name }).filter({ hasText: "Operator" }).waitFor();
  world.jump();
  await confirmed(`Disable ${name}`);
  await table.getByRole("row").filter({ hasText: name }).filter({ hasText: "Disabled" }).waitFor();

  const attempt = await fetch(new URL("/api/auth/login", page.url()), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: name, password }),
  });
  await attempt.body?.cancel();
  if (attempt.status !== 401) throw new Error(`a disabled user was answered ${attempt.status}`);

  async function confirmed(what: string, proved?: () => Promise<void>): Promise<void> {
    await hand.press(sheet.getByRole("button", { name: `${what}…` }));
    const question = page.getByRole("dialog", { name: what, exact: true });
    await hand.press(question.getByRole("button", { name: what, exact: true }));
    await proved?.();
    await question.waitFor({ state: "hidden" });
  }
}
