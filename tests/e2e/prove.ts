import type { Stage } from "./stage.ts";
import { admin } from "./world.ts";

/** Gives the password again in the dialog that asks for it over the page; what was begun there goes on by itself. */
export async function prove({ page, hand }: Pick<Stage, "page" | "hand">): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Confirm who you are" });
  await hand.write(dialog.getByLabel("Password", { exact: true }), admin.password);
  await hand.press(dialog.getByRole("button", { name: "Confirm" }));
  await dialog.waitFor({ state: "hidden" });
}
