import { openApi, userPassword } from "../api.ts";
import { announceLarge, announceProgram, bringPart } from "../bring-artifact.ts";
import { enter } from "../browser.ts";
import type { Stage } from "../stage.ts";

const large = 70 * 1024 * 1024;

/** An operator sees how an artifact comes, that it arrives, and everything that is said of it; removes it; a viewer only looks. */
export async function artifactLife({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const operator = { username: `nils-${word}`, password: userPassword };
  const viewer = { username: `vera-${word}`, password: userPassword };
  await api.newUser(operator.username, "operator");
  await api.newUser(viewer.username, "viewer");
  const [caddy, backup] = [`caddy-${word}`, `backup-${word}`];

  await enter(window, operator);
  await page.goto("/");
  await hand.goTo("Artifacts");
  await page.getByText("No artifacts yet").waitFor();
  await page.getByText(/^gatehouse artifact sign [^]*\ngatehouse login --server .*\ngatehouse artifact add /).waitFor();
  await page.getByText("Nothing is uploaded in the browser", { exact: false }).waitFor();
  await judge("artifacts, when there is none");

  const bytes = new TextEncoder().encode(`the program of ${word}`);
  const announced = await announceProgram(api, { name: caddy }, bytes);
  const table = page.getByRole("table", { name: "Artifacts" });
  const row = (name: string) => table.getByRole("row").filter({ hasText: name });
  await row(caddy).filter({ hasText: "0 of 1 part" }).waitFor();
  await bringPart(api, announced, bytes);
  await row(caddy).filter({ hasText: "Whole" }).waitFor();
  await announceLarge(api, { name: backup, architecture: "arm64" }, large);
  await row(backup).filter({ hasText: "0 of 3 parts" }).filter({ hasText: "70.0 MiB" }).waitFor();
  await page.getByText("2 artifacts, 70.0 MiB; one is arriving.").waitFor();
  await judge("artifacts, one of them arriving");

  await hand.openRow(table, backup);
  const arriving = page.getByRole("dialog", { name: backup });
  await arriving.getByText(/^Still to come: parts 1 to 3 of 3\./).waitFor();
  await page.keyboard.press("Escape");
  await arriving.waitFor({ state: "detached" });
  await hand.openRow(table, caddy);
  const sheet = page.getByRole("dialog", { name: caddy });
  await sheet.getByText("0a1b2c3d".repeat(4), { exact: true }).waitFor();
  await sheet.getByText(announced.sha256, { exact: true }).first().waitFor();
  await sheet.getByText("this server has no key to do so", { exact: false }).waitFor();
  if (new URL(page.url()).searchParams.get("artifact") !== announced.id)
    throw new Error(`the address is ${page.url()}`);
  await judge("the sheet of an artifact");
  await hand.press(sheet.getByRole("button", { name: `Remove ${caddy} 2.8.4…` }));
  const confirm = page.getByRole("dialog", { name: `Remove ${caddy} 2.8.4` });
  await judge("the dialog that removes an artifact");
  await hand.press(confirm.getByRole("button", { name: `Remove ${caddy} 2.8.4` }));
  await row(caddy).waitFor({ state: "detached" });
  await page.getByText("is not on this server", { exact: false }).waitFor();
  await judge("the sheet of an artifact that is gone");

  await enter(window, viewer);
  await page.goto("/artifacts");
  await row(backup).waitFor();
  if ((await page.getByRole("button", { name: /^Remove/ }).count()) > 0) {
    throw new Error("somebody who may not make plans is offered to remove an artifact");
  }
}
