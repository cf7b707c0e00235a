import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { openFileStore } from "@gatehouse/store";
import { setup, teardown } from "../acceptance/driver/scratch.ts";
import { keyOf, makeBundle, type SampleFields } from "../bundles/sample.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { openApi, userPassword } from "./api.ts";
import { seedArtifacts } from "./bring-artifact.ts";
import { enter, openBrowser, openWindow } from "./browser.ts";
import { bringHost } from "./connect-host.ts";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { photographGallery } from "./gallery.ts";
import { inventFleet } from "../support/seed-fleet.ts";
import { seedWorldFleet } from "./seed-log.ts";
import { type SeededPlans, seedPlans } from "./seed-plans.ts";
import { inventLines } from "./invent-lines.ts";
import { pageAddresses } from "./page-addresses.ts";
import { admin, politeArtifact, World } from "./world.ts";

/** `npm run screenshots [part of a path]`: every page with a rich state, in both themes and sizes, for people to look at. */
const target = resolve(import.meta.dirname, "../../.screenshots");
const only = process.argv[2];
/** Of which the first screen is enough. */
const longPages = ["audit", "logs", "map"];
const longName = "Firewall zones for the whole fleet and its edges, eu-west";
const fleet = { nodes: 200, seed: 6, now: Date.now() };
const momentAgo = (minutes: number) => new Date(Math.floor(fleet.now / 60_000 - minutes) * 60_000).toISOString();
const fleetNodes = inventFleet(fleet);
const addressesOf = (plans: SeededPlans) => ({
  ...pageAddresses({
    "/nodes/$id": {
      "node-managed": `/nodes/${fleetNodes.find(({ facts }) => facts?.mode === "managed")?.id}`,
      "node-monitor": `/nodes/${fleetNodes.find(({ facts }) => facts?.mode === "monitor")?.id}`,
      "node-revoked": `/nodes/${fleetNodes.find(({ revokedAt }) => revokedAt !== undefined)?.id}`,
    },
    "/plans/$id": {
      "plan-in-review": `/plans/${plans.inReview}`,
      "plan-refused": `/plans/${plans.refused}`,
      "plan-linted": `/plans/${plans.linted}`,
      "plan-rejected": `/plans/${plans.rejected}`,
      "plan-approved": `/plans/${plans.approved}`,
      "plan-done": `/plans/${plans.done}`,
      "plan-halted": `/plans/${plans.halted}`,
      "plan-large": `/plans/${plans.large}`,
    },
    "/plugins/$id": {
      "plugin-verified": "/plugins/acme-dns",
      "plugin-installed": "/plugins/acme-mesh",
      "plugin-active": "/plugins/acme-firewall",
      "plugin-changed": "/plugins/acme-backup",
      "plugin-failing": "/plugins/acme-webhook",
      "plugin-unknown": "/plugins/acme-nobody",
    },
    "/apps/$": { contributed: "/apps/acme-firewall" },
    $: { "not-found": "/no/such/page" },
  }),
  "metrics-several": `/metrics?nodes=${plans.measured.join(",")}`,
  "metrics-day": `/metrics?nodes=${plans.measured.join(",")}&range=day&metric=cpu`,
  "metrics-one": `/metrics?nodes=${plans.measured[0]}`,
  "logs-marked": `/logs?q=mark:timeout%20mark:%22timed%20out%22&nodes=${plans.measured.slice(0, 2).join(",")}`,
  "logs-spike": `/logs?q=mark:timeout%20mark:%22timed%20out%22&from=${momentAgo(25)}&to=${momentAgo(21)}`,
  "logs-line": `/logs?nodes=${plans.measured[0]}&level=warning&line=${plans.errorLine}`,
  "logs-nothing": "/logs?q=nothing-like-this&level=error",
  "logs-live": `/logs?nodes=${plans.measured.slice(0, 2).join(",")}&follow=true`,
  "logs-day": `/logs?nodes=${plans.measured[0]}&source=nginx.service&range=day`,
  "host-logs-dropped": `/logs?nodes=${plans.measured[0]}&from=${momentAgo(23)}&to=${momentAgo(20)}`,
  "node-measured": `/nodes/${plans.measured[0]}`,
  "audit-entry": "/audit?at=120",
  "map-sites": "/map?view=50.9,5.5,5",
  "map-chosen": `/map?view=50.9,5.5,5&node=${fleetNodes.find(({ name }) => name.startsWith("ams1"))?.id}`,
  "map-placeless": "/map?placeless=true",
  "nodes-offline": "/nodes?tag=edge",
  "nodes-enrol": "/nodes?enrol=new",
  "new-plan-update": "/plans/new?change=agent.update&version=0.2.0&architecture=x64",
  "audit-nothing": "/audit?text=nothing-like-this",
  "audit-witnesses": "/audit?witnesses=true",
  "plans-expired": "/plans?state=expired",
  "plans-waiting": "/plans?waiting=me",
});

setup();
try {
  await buildIfOld();
  // Some pages alone replace their own pictures; the others stay to be compared.
  if (only === undefined) rmSync(join(target, "pages"), { recursive: true, force: true });
  await using world = new World();
  const { edges, plans } = await seed(world);
  const keeper = await bringHost(world, await openApi(world), { name: "lhr2-cache-11" }, { heads: true });
  const head = await keeper.shownHead();
  const beyond = { ...head, n: head.n + 9, position: head.position + 500, link: "f5".repeat(32) };
  keeper.hold(head);
  await using browser = await openBrowser();
  let taken = 0;
  for (const size of ["desktop", "phone"] as const) {
    for (const theme of ["light", "dark"] as const) {
      const place = join(target, "pages", `${size}-${theme}`);
      mkdirSync(place, { recursive: true });
      const shoot = async (name: string, path: string, who?: { username: string; password: string }) => {
        if (only !== undefined && !name.includes(only)) return;
        await using window = await openWindow(browser, world, { size, theme, touch: true });
        const { page } = window;
        if (who !== undefined) await enter(window, who);
        await page.goto(path);
        await page.getByRole("heading").filter({ visible: true }).first().waitFor();
        await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
        await page.waitForTimeout(400);
        await page.screenshot({
          path: join(place, `${name}.png`),
          fullPage: !longPages.some((long) => name.startsWith(long)),
        });
        taken += 1;
      };
      await shoot("sign-in", "/login");
      for (const [name, path] of Object.entries(addressesOf(plans))) await shoot(name, path, admin);
      await shoot("token-limited", `/tokens?token=${edges}`, admin);
      await shoot("missing-scope", "/users", { username: "wren", password: userPassword });
      keeper.hold(beyond, "witness.regressed");
      await shoot("audit-refused", "/audit", admin);
      await shoot("refused-overview", "/", admin);
      await shoot("refused-node", `/nodes/${keeper.id}`, admin);
      keeper.hold(head);
    }
  }
  plans.close();
  keeper.close();
  console.log(`screenshots: ${taken} pictures in .screenshots/pages`);
  if (only === undefined || "gallery".includes(only)) {
    console.log(`screenshots: ${await photographGallery(browser)} pictures in .screenshots/gallery`);
  }
} finally {
  teardown();
}

/** Plugins in every state, people of every role, tokens, long names, and some hundred entries of the log. */
async function seed(world: World): Promise<{ readonly edges: string; readonly plans: SeededPlans }> {
  await seedLog(world.dataDir);
  await seedWorldFleet(world.dataDir, fleet);
  const put = (fields: SampleFields, artifact?: string) => world.bundle(fields, artifact);
  const nav = (id: string, title: string) => ({
    nav: [{ component: "plugin.page", title, path: `/apps/${id}`, scope: "plan:read" as const }],
    enhancements: [],
  });
  put({
    id: "acme-firewall",
    name: longName,
    version: "2.3.1",
    capabilities: ["host:firewall", "kv:read", "kv:write", "log:write"],
    contributions: nav("acme-firewall", "Firewall"),
  });
  put(
    {
      id: "acme-lines",
      name: "Mesh of sites",
      version: "1.4.2",
      contributions: { nav: [], enhancements: [{ component: "wireguard.lines", surface: "fleet.map" }] as never },
    },
    politeArtifact("Says which tunnels there are.", "ok", inventLines(fleetNodes)),
  );
  put({ id: "acme-dns", name: "DNS records", version: "0.9.0", capabilities: ["host:service", "log:write"] });
  put({ id: "acme-mesh", name: "Mesh", version: "1.4.2", capabilities: ["host:network", "host:service"] });
  put({ id: "acme-backup", name: "Backups", version: "1.0.0", capabilities: ["kv:read"] });
  put(
    { id: "acme-webhook", name: "Webhooks", version: "3.1.0" },
    "#!/bin/sh\necho 'cannot reach the queue' >&2\nexit 3\n",
  );
  const stranger = makeBundle({ id: "acme-stranger", name: "Stranger" }, [keyOf("somebody else")]);
  world.put("acme-stranger", stranger);
  world.put("acme-with-a-rather-long-directory-name-that-nobody-would-choose-0", stranger);
  world.sell(
    ["mesh", "dns", "firewall", "certificates"].map((word, at) => ({
      id: `acme-${word}`,
      name: at === 3 ? "Certificates for every host, renewed before they end" : word,
      publisher: "acme",
      version: `1.${at}.0`,
      summary: "Does one thing, says what it needs, and changes no host by itself.",
      homepage: "https://example.com/",
      capabilities: at === 0 ? ["host:network", "kv:read"] : ["log:write"],
    })),
  );
  await world.start();
  const first = await openApi(world);
  await first.move("acme-backup", "installed", "active");
  await world.stop();
  put(
    { id: "acme-backup", name: "Backups", version: "1.1.0", capabilities: ["kv:read", "host:file"] },
    politeArtifact("Two."),
  );
  await world.start();
  const api = await openApi(world);
  await api.move("acme-firewall", "installed", "active");
  await api.move("acme-lines", "installed", "active");
  await api.move("acme-mesh", "installed");
  await api.move("acme-webhook", "installed", "active");
  for (let times = 0; times < 6; times += 1) {
    await api.call("POST", "/api/plugins/acme-webhook/actions/health", {});
    await api.call("POST", `/api/plugins/acme-firewall/actions/${times % 2 === 0 ? "describe" : "health"}`, {});
  }
  const people = {
    wren: "viewer",
    "ines.okafor": "operator",
    approver: "approver",
    auditor: "auditor",
    second: "owner",
  };
  for (const [name, role] of Object.entries(people)) await api.newUser(name, role);
  await api.newUser("a-name-as-long-as-names-may-be-which-is-sixty-three-characters-", "viewer");
  for (const name of ["nightly check", "deploy-eu", "x".repeat(80)]) {
    await api.call("POST", "/api/tokens", { name, scopes: ["audit:read", "node:read", "plan:read", "log:read"] });
  }
  const nodes = Array.from({ length: 12 }, (_none, at) => `node_${String(at).padStart(26, "0")}`);
  await api.call("POST", "/api/tokens", { name: "one node", scopes: ["node:read"], nodes: nodes.slice(0, 1) });
  const { body } = await api.call("POST", "/api/tokens", {
    name: "edges",
    scopes: ["audit:read", "node:read", "log:read"],
    nodes,
  });
  await seedArtifacts(api);
  return { edges: String(body["id"]), plans: await seedPlans(world, api) };
}

async function seedLog(directory: string): Promise<void> {
  const store = await openFileStore({ directory });
  try {
    const now = Date.now();
    const actions = ["node.seen", "plan.created", "plan.approved", "auth.signed_in", "plugin.refused"];
    const entries = Array.from({ length: 400 }, (_none, at) => ({
      at: now - (400 - at) * 1_700_000,
      actor: at % 5 === 0 ? "system" : `usr_${at % 7}`,
      action: actions[at % actions.length] ?? "node.seen",
      subject: `node/fra1-edge-${String(at % 30).padStart(2, "0")}`,
      outcome: at % 11 === 0 ? ("failed" as const) : at % 13 === 0 ? ("refused" as const) : ("done" as const),
      address: `192.0.2.${at % 250}`,
      detail: { reason: "no fresh control connection within 90 s", round: at },
    }));
    await Promise.all(entries.map((entry) => store.commit(inventedEntry(entry))));
  } finally {
    await store.close();
  }
}
