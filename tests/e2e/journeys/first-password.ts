import { afterFrames, holdsFocus, isFocused } from "../in-page.js";
import type { Stage } from "../stage.ts";
import { until } from "../../support/until.ts";
import { admin } from "../world.ts";

/** Signs in with the password of the first start, changes it, and sees that only the new one works. */
export async function firstPassword({ page, hand, judge, window }: Stage): Promise<void> {
  const next = "otters keep their own ledgers";
  await page.goto("/");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await judge("sign-in page");
  await signIn(admin.password);
  await page.getByRole("heading", { level: 1 }).filter({ visible: true }).first().waitFor();

  await hand.goTo("Security");
  await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
  await hand.write(page.getByLabel("Current password", { exact: true }), admin.password);
  await hand.write(page.getByLabel("New password", { exact: true }), next);
  await hand.write(page.getByLabel("New password, once more"), next);
  await hand.press(page.getByRole("button", { name: "Change the password" }));
  await page.getByText("Your other sessions have ended.").waitFor();
  await judge("security page");

  await hand.press(page.getByRole("button", { name: `Account: ${admin.username}` }));
  await chooseFromMenu("Sign out");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  // The browser tells of every 401 in its console.
  window.expectComplaint(/401/);
  await signIn(admin.password);
  await page.getByRole("alert").first().waitFor();
  await judge("a refused sign-in");
  await signIn(next);
  await page.getByRole("navigation", { name: "Breadcrumb" }).waitFor();

  async function signIn(password: string): Promise<void> {
    await hand.write(page.getByLabel("Name", { exact: true }), admin.username);
    await hand.write(page.getByLabel("Password", { exact: true }), password);
    if (hand.kind === "keyboard") await page.keyboard.press("Enter");
    else await hand.press(page.getByRole("button", { name: "Sign in", exact: true }));
  }

  async function chooseFromMenu(name: string): Promise<void> {
    const item = page.getByRole("menuitem", { name });
    await item.waitFor();
    if (hand.kind === "mouse") return hand.press(item);
    await until("the focus is in the menu", () => page.getByRole("menu").evaluate(holdsFocus));
    for (let steps = 0; !(await item.evaluate(isFocused)); steps += 1) {
      if (steps > 12) throw new Error(`the arrows do not reach ${name}`);
      await page.keyboard.press("ArrowDown");
      await page.evaluate(afterFrames);
    }
    await page.keyboard.press("Enter");
  }
}
