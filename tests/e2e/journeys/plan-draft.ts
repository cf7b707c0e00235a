import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildArtifact } from "@gatehouse/plugin-sdk/build";
import { bundlePlugin } from "../../../tools/build/bundle-plugin.ts";
import { type Api, openApi } from "../api.ts";
import { enter } from "../browser.ts";
import type { Stage } from "../stage.ts";
import { admin, type World } from "../world.ts";

const official = [
  { name: "netguard", component: "netguard.firewall", title: "Firewall", kind: "firewall.apply" },
  { name: "wireguard", component: "wireguard.mesh", title: "Private networks", kind: "network.wireguard" },
] as const;

/** The official plugins as they are built, signed by somebody the server trusts. */
export async function placeOfficialPlugins(world: World): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-official-"));
  try {
    for (const { name, component, title } of official) {
      const home = resolve(import.meta.dirname, "../../../plugins", name);
      const description = join(home, "plugin.json");
      const built = await buildArtifact(bundlePlugin, {
        entry: join(home, "src/main.ts"),
        description,
        out: join(directory, name),
      });
      const { capabilities } = JSON.parse(readFileSync(description, "utf8")) as { capabilities: never[] };
      const nav = [{ component, title, path: `/apps/acme-${name}`, scope: "plan:read" }] as never;
      const fields = { id: `acme-${name}`, name: title, capabilities, contributions: { nav, enhancements: [] } };
      world.bundle(fields, readFileSync(built.artifact, "utf8"));
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Takes them through their gates, unless an earlier journey has. */
export async function activateOfficial(api: Api): Promise<void> {
  for (const { name } of official) {
    const { body } = await api.call("GET", "/api/plugins/lifecycle?limit=200");
    const found = (body["items"] as { id: string; status: string }[]).find(({ id }) => id === `acme-${name}`);
    if (found?.status === "verified") await api.move(`acme-${name}`, "installed");
    if (found?.status !== "active") await api.move(`acme-${name}`, "active");
  }
}

const input = { zones: {}, services: {}, ssh: { ports: [22] }, allow: [] };

/** On the plugin's own page one asks it for a draft, which is kept nowhere; then with an input that is wrong. */
export async function planDraft({ world, page, window, hand, judge }: Stage): Promise<string> {
  await activateOfficial(await openApi(world));
  window.expectComplaint(/status of 422/);
  await enter(window, admin);
  const { name, title, kind } = official[0];
  await page.goto(`/plugins/acme-${name}`);
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  await hand.press(page.getByRole("button", { name: "Draw up a plan" }));
  const sheet = page.getByRole("dialog", { name: `A plan by acme-${name}` });
  const draw = sheet.getByRole("button", { name: "Draw up the plan" });
  await hand.press(draw);
  await sheet.getByText("Write what the plan is drawn up from, as JSON.").waitFor();
  await hand.select(sheet.getByLabel("Nodes", { exact: true }), "all");
  await hand.write(sheet.getByLabel("Input", { exact: true }), JSON.stringify(input));
  await hand.press(draw);
  const draft = sheet.getByRole("status", { name: "The draft" });
  await draft.getByText(kind).first().waitFor();
  const digest = await draft
    .getByText(/^[0-9a-f]{64}$/)
    .first()
    .textContent();
  await judge(`the draft of ${title}`);
  await hand.write(sheet.getByLabel("Input", { exact: true }), '{"nodes":[]}');
  await hand.press(draw);
  await sheet.getByText("It drew up no plan").waitFor();
  await page.keyboard.press("Escape");
  return `plan ${(digest ?? "").slice(0, 8)}`;
}
