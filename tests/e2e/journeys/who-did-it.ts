import { enter } from "../browser.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** Finds out in the audit log who created a user, and gets the same answer from the address alone. */
export async function whoDidIt({ page, hand, window, word, judge }: Stage): Promise<void> {
  const suspect = `visitor-${word}`;
  await enter(window, admin);
  const made = await window.context.request.post("/api/users", {
    data: { username: suspect, role: "viewer", password: "a visitor keeps otters" },
    headers: { "Sec-Fetch-Site": "same-origin" },
  });
  if (made.status() !== 201) throw new Error(`creating ${suspect} was answered ${made.status()}`);
  const { id } = (await made.json()) as { id: string };

  await page.goto("/");
  await hand.goTo("Audit");
  const table = page.getByRole("table", { name: /^Audit entries/ });
  await table.waitFor();
  await judge("the audit log");
  // A phone has the conditions in a sheet.
  const filters = page.getByRole("button", { name: /^Search and filter/ });
  const inSheet = await filters.isVisible();
  if (inSheet) await hand.press(filters);
  await hand.select(page.getByLabel("What", { exact: true }), "user.created");
  await page.waitForURL(/action=user\.created/);
  await hand.write(page.getByLabel("On what"), `user/${id}`);
  await page.waitForURL(/subject=/);
  if (inSheet) await hand.press(page.getByRole("button", { name: "Show the entries" }));
  await page.getByText("1 entry; the log has no older match.").waitFor();
  await hand.openRow(table, "User creation");
  await page.waitForURL(/[?&]at=\d+/);
  const sheet = page.getByRole("dialog", { name: "User creation" });
  await sheet.getByText(admin.username).first().waitFor();
  await judge("an entry of the audit log");

  const address = page.url();
  await page.reload();
  await sheet.getByText(admin.username).first().waitFor();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  await page.getByText("1 entry; the log has no older match.").waitFor();
  if (page.url() === address) throw new Error("the closed entry still stands in the address");

  await hand.press(page.getByRole("button", { name: "Export…" }));
  const dialog = page.getByRole("dialog", { name: "Export the audit log" });
  await dialog.waitFor();
  await judge("the export of the audit log");
  const saved = page.waitForEvent("download");
  await hand.press(dialog.getByRole("button", { name: "Export what the filter shows" }));
  const file = (await saved).suggestedFilename();
  if (!/^gatehouse-audit-[-0-9]+\.jsonl$/.test(file)) throw new Error(`the export is called ${file}`);
  await dialog.getByText("That is all of them.").waitFor();
  await hand.press(dialog.getByRole("button", { name: "Close", exact: true }).last());
  await dialog.waitFor({ state: "hidden" });
}
