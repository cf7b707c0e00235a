import { describe, expect, test } from "vitest";
import { type Operator, PluginYard } from "./plugin-yard.ts";
import { isExternal } from "./server-under-test.ts";

/** Contract 3.3: the operator's procedure, as docs/operate/plugins.md tells it. */
describe.skipIf(isExternal)("operator procedure", () => {
  test("Activate: confirm what it is, confirm zero rejections, install, activate, confirm what came of it", async () => {
    const yard = new PluginYard();
    const manifest = yard.bundle({
      name: "Hello",
      capabilities: ["host:firewall", "log:write"],
      contributions: {
        nav: [{ component: "plugin.page", title: "Firewall", path: "/apps/acme-hello" }],
        enhancements: [],
      },
    });
    const operator = await yard.start();

    // confirm identity, version, publisher, digest, capabilities; confirm zero verification rejections
    const { items, rejections } = await operator.list();
    expect(rejections).toEqual([]);
    expect(items).toMatchObject([
      {
        id: "acme-hello",
        name: "Hello",
        version: "1.0.0",
        publisher: "acme",
        artifactSha256: manifest.artifact.sha256,
        capabilities: [
          { name: "host:firewall", risk: "host" },
          { name: "log:write", risk: "own" },
        ],
      },
    ]);
    const verdict = await operator.post("/api/plugins/verify", { id: "acme-hello" });
    expect(verdict.json).toMatchObject({ accepted: true, refusal: null, loaded: true });
    for (const check of verdict.json["checks"] as { outcome: string }[]) expect(check.outcome).toBe("passed");

    // transition verified to installed; transition installed to active
    expect((await operator.move("acme-hello", "installed", manifest.artifact.sha256)).status).toBe(200);
    expect((await operator.move("acme-hello", "active", manifest.artifact.sha256)).status).toBe(200);

    // confirm runtime armed and the expected contribution visible
    expect(await operator.find("acme-hello")).toMatchObject({
      runtime: { state: "armed" },
      contributions: [{ component: "plugin.page", visible: true }],
    });
    expect((await operator.ask("acme-hello", "describe")).status).toBe(200);

    // confirm no node plan was approved or applied as a side effect
    const actions = ((await operator.get("/api/audit?limit=200")).json["items"] as { action: string }[]).map(
      ({ action }) => action,
    );
    expect(actions.filter((action) => /^(plan|node)\./.test(action))).toEqual([]);
  });

  test("Remove: disable, confirm that it is gone, remove the bundle, restart, confirm that the dashboard works", async () => {
    const page = { component: "netguard.firewall", title: "Firewall", path: "/apps/netguard" };
    const yard = new PluginYard();
    yard.trust({ idPrefixes: ["netguard"] });
    yard.bundle({ id: "netguard", contributions: { nav: [page], enhancements: [] } });
    const first = await yard.start();
    await first.move("netguard", "installed");
    await first.move("netguard", "active");
    // What is to be gone afterwards is there now: the contribution with its page, and the route on which it answers.
    expect(await remaining(first)).toEqual({ pages: [page.path], answer: [200, undefined] });
    expect((await first.move("netguard", "disabled")).json).toMatchObject({
      status: "disabled",
      runtime: { state: "absent" },
      contributions: [{ component: page.component, visible: false }],
    });
    expect(await remaining(first)).toEqual({ pages: [], answer: [409, "plugin.not_active"] });
    await first.server.stop();
    yard.remove("netguard");

    const second = await yard.start();
    expect(await second.find("netguard")).toMatchObject({ status: "disabled", available: false, moves: [] });
    expect(await remaining(second)).toEqual({ pages: [], answer: [409, "plugin.not_active"] });
    for (const path of ["/", "/login", page.path]) {
      const shell = await second.get(path);
      expect([shell.status, shell.headers["content-type"]], path).toEqual([200, "text/html; charset=utf-8"]);
    }
  });
});

/** What of the plugin can be reached: the pages that it adds, and what its route answers. */
async function remaining(operator: Operator): Promise<{ pages: unknown[]; answer: unknown[] }> {
  const { json } = await operator.get("/api/plugins/contributions");
  const { status, json: said } = await operator.ask("netguard", "describe");
  return { pages: (json["items"] as { path: unknown }[]).map(({ path }) => path), answer: [status, said["code"]] };
}
