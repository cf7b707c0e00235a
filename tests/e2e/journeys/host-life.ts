import { PretendHost } from "../../support/pretend-host.ts";
import { enter } from "../browser.ts";
import { connectHost, enrolHost } from "../connect-host.ts";
import { prove } from "../prove.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** Makes a line, sees its host arrive, names it, turns it off, and removes it. */
export async function hostLife(stage: Stage): Promise<void> {
  const { world, page, hand, window, word, judge } = stage;
  const name = `host-${word}`;
  await enter(window, admin);
  await page.goto("/");
  await hand.goTo("Nodes");
  await page.getByText(/^200 nodes: /).waitFor();

  // The sign-in grows old: a code always needs the password again.
  world.jump();
  window.expectComplaint(/status of 403.*\/api\/nodes/);
  await hand.press(page.getByRole("button", { name: "Enrol a host…" }));
  const ask = page.getByRole("dialog", { name: "Enrol a host" });
  await hand.write(ask.getByLabel(/^Name/), name);
  await hand.write(ask.getByLabel(/^Tags/), "web, public");
  await judge("the dialog that asks what to enrol");
  const answered = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/enrolments") && answer.status() === 201,
  );
  await hand.press(ask.getByRole("button", { name: "Make the line" }));
  await prove(stage);
  const { items } = (await (await answered).json()) as { items: { code: string }[] };
  const code = items[0]?.code ?? "";
  await ask.getByText("Waiting for a host to use the code").waitFor();
  await judge("the line and what it waits for");

  const host = new PretendHost(`machine-${word}`);
  const end = host.nodeId.slice(-8);
  await enrolHost(world.baseUrl, host, code);
  await ask.getByText("A host has used the code").waitFor();
  await ask.getByText(end, { exact: true }).waitFor();
  await judge("a host that is on its way");
  const connection = await connectHost(world.baseUrl, host);
  const here = page.getByRole("dialog", { name: `${name} is here` });
  await here.getByText(end, { exact: true }).waitFor();
  await judge("a host that is here");
  await hand.press(here.getByRole("link", { name: `Open ${name}` }));
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await page.getByText("Watched", { exact: true }).waitFor();
  await page.getByText("Debian GNU/Linux 13 (trixie)").waitFor();
  await page.getByText("If this server is stolen:").waitFor();
  await judge("the page of a host");

  await hand.press(page.getByRole("button", { name: "Edit…" }));
  const edit = page.getByRole("dialog", { name: `Edit ${name}` });
  await hand.write(edit.getByLabel(/^Notes/), "In the cellar, behind the boiler.");
  await judge("the dialog that edits a node");
  await hand.press(edit.getByRole("button", { name: `Change ${name}` }));
  await edit.waitFor({ state: "hidden" });
  await page.getByText("In the cellar, behind the boiler.").waitFor();

  await confirmed("Revoke", name);
  await page.getByText("Revoked.", { exact: true }).waitFor();
  await judge("the page of a revoked host");
  await page.getByRole("button", { name: "Revoke…" }).waitFor({ state: "hidden" });
  world.jump();
  await hand.press(page.getByRole("button", { name: "Remove…" }));
  const question = page.getByRole("dialog", { name: `Remove ${name}` });
  await hand.write(question.getByLabel(`Type ${name} to confirm`), name);
  await hand.press(question.getByRole("button", { name: `Remove ${name}` }));
  // The event of its removal may come before the page has left, which then asks once more.
  window.expectComplaint(new RegExp(`status of 404.*/api/nodes/${host.nodeId}`));
  await prove(stage);
  await page.waitForURL("**/nodes");
  await page.getByText(/^200 nodes: /).waitFor();
  connection.close();

  async function confirmed(verb: string, what: string): Promise<void> {
    await hand.press(page.getByRole("button", { name: `${verb}…` }));
    const dialog = page.getByRole("dialog", { name: `${verb} ${what}` });
    await hand.press(dialog.getByRole("button", { name: `${verb} ${what}` }));
    await dialog.waitFor({ state: "hidden" });
  }
}

/** Nobody uses the line: it says so by itself, and another one is a press away. */
export async function expiredLine({ world, page, hand, window, judge }: Stage): Promise<void> {
  await enter(window, admin);
  await page.goto("/nodes?enrol=new");
  const dialog = page.getByRole("dialog", { name: "Enrol a host" });
  await hand.press(dialog.getByRole("button", { name: "Make the line" }));
  await dialog.getByText("Waiting for a host to use the code").waitFor();
  // Six minutes each, of the fifteen that a code lasts; the page looks in between, so no two jumps become one.
  for (const _jump of [1, 2, 3]) {
    world.jump();
    await page.waitForResponse((answer) => answer.url().includes("/api/nodes/enrolments"));
  }
  await dialog.getByText("The code has expired").waitFor();
  await judge("a line that nobody used");
  await hand.press(dialog.getByRole("button", { name: "Make a new one" }));
  await dialog.getByRole("button", { name: "Make the line" }).waitFor();
}
