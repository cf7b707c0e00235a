import { enter } from "../browser.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** Issues a token after the password was asked again, sees it once, uses it, and revokes it. */
export async function tokenOnce({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const name = `nightly ${word}`;
  await enter(window, admin);
  world.jump();
  // The browser tells of the refusal that asks for the password.
  window.expectComplaint(/status of 403.*\/api\/tokens/);
  await page.goto("/");
  await hand.goTo("Tokens");
  await hand.press(page.getByRole("button", { name: "Issue a token…" }).first());
  const dialog = page.getByRole("dialog", { name: "Issue a token" });
  await hand.write(dialog.getByLabel("Name", { exact: true }), name);
  await hand.choose(dialog.getByLabel("audit:read", { exact: true }));
  await judge("the dialog that issues a token");
  await hand.press(dialog.getByRole("button", { name: "Issue the token" }));

  const proof = page.getByRole("dialog", { name: "Confirm who you are" });
  await hand.write(proof.getByLabel("Password", { exact: true }), admin.password);
  await judge("the dialog that asks for the password again");
  await hand.press(proof.getByRole("button", { name: "Confirm" }));

  const issued = page.getByRole("dialog", { name: `${name} is issued` });
  const shown = await issued
    .getByText(/gth_[0-9a-z]{16}/)
    .first()
    .textContent();
  const token = /gth_[0-9A-Za-z_-]+/.exec(shown ?? "")?.[0] ?? "";
  await judge("the issued token");
  await expectStatus(token, 200);
  await hand.press(issued.getByRole("button", { name: "I have kept it" }));
  await issued.waitFor({ state: "detached" });
  const row = page.getByRole("row").filter({ hasText: name });
  await row.waitFor();
  if ((await page.content()).includes(token)) throw new Error("the page still holds the token");
  await judge("the list of tokens");

  const revoke = page
    .getByRole("button", { name: `Revoke ${name}…` })
    .filter({ visible: true })
    .first();
  // On a phone the row has no button of its own; what it opens has.
  if (!(await revoke.isVisible())) await hand.openRow(page.getByRole("table", { name: "Tokens" }), name);
  await hand.press(revoke);
  const confirm = page.getByRole("dialog", { name: `Revoke ${name}` });
  await hand.press(confirm.getByRole("button", { name: `Revoke ${name}` }));
  await row.waitFor({ state: "detached" });
  await expectStatus(token, 401);

  async function expectStatus(bearer: string, status: number): Promise<void> {
    const answer = await fetch(`${world.baseUrl}/api/audit?limit=1`, {
      headers: { Authorization: `Bearer ${bearer}` },
    });
    await answer.body?.cancel();
    if (answer.status !== status) throw new Error(`the token was answered ${answer.status} instead of ${status}`);
  }
}
