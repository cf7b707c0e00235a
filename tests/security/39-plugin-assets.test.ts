import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { verifyBundle } from "@gatehouse/bundle/verify";
import { expect, test } from "vitest";
import { inMemory, makeBundle, placeBundle, policyOf } from "../bundles/sample.ts";
import { Chance, counts } from "./support/chance.ts";
import { inLanes } from "./support/in-lanes.ts";
import { readOpenApi } from "./support/openapi.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { send } from "./support/raw-http.ts";
import { signedLoosely } from "./support/signed-loosely.ts";
import { traversals } from "./support/traversals.ts";
import { count, tried } from "./support/tried.ts";

/** Rancher: the path of a plugin's asset was joined to a folder, and led out of it. Here no file of a plugin is served. */
const canary = new Chance("canary").word(32);
const place = await makePluginPlace();
await placeBundle(place.directory, makeBundle({ id: "acme-page" }, undefined, `#!/bin/sh\necho ${canary}\n`));
await writeFile(join(place.directory, "canary.txt"), canary);
const started = await sharedPlugins(place);

test("no path leads to a file of a plugin, of the trust policy or of the data directory", async (context) => {
  const targets = ["plugins/acme-page/artifact", "plugins/acme-page/manifest.json", "plugins/canary.txt", "trust.json"];
  const from = ["/apps/acme-page", "/plugins/acme-page", "/api/plugins/acme-page", "/api/plugins/lifecycle/acme-page"];
  const wild = traversals(new Chance("plugin paths"), counts["39 paths"], [
    ...targets,
    ...targets.map((target) => join(place.path, target).slice(1)),
  ]);
  const paths = [
    ...from.flatMap((start) =>
      ["artifact", "manifest.json", "../canary.txt", "%2e%2e/canary.txt"].map((end) => `${start}/${end}`),
    ),
    ...wild.map((path, at) => `${from[at % from.length]}${path}`),
    ...wild.slice(0, 200),
  ];
  const forbidden = [canary, '"signatures"', '"publishers"'];
  const wrong = await inLanes(paths, 8, async (path) => {
    // With the owner's session: nothing may depend on who asks.
    const { body, status } = await send(started.port, { path: path.replaceAll(" ", "%20"), headers: started.owner.as });
    return forbidden.some((text) => body.includes(text)) ? [`${path}: ${status}`] : [];
  });
  expect(wrong.flat()).toEqual([]);
  tried(context, count(paths.length, "paths around a plugin's files"));
});

test("no route of the API takes the name of a file", async (context) => {
  const { operations } = await readOpenApi(started.port);
  const plugins = operations.filter(({ path }) => /plugin|marketplace|apps/.test(path));
  expect(plugins.length).toBeGreaterThanOrEqual(5);
  // A plugin's id may stand in a path; its shape lets no separator and no dot through.
  const parameters = plugins.flatMap(({ path }) => path.match(/\{[^}]*\}|\*/g) ?? []);
  expect(parameters.filter((name) => !["{id}", "{action}"].includes(name))).toEqual([]);
  tried(context, `${count(plugins.length, "routes")} without a file's name`);
});

test("a signed page of a plugin stands below its own id and nowhere else", async (context) => {
  const policy = policyOf();
  const paths = [
    "/",
    "/login",
    "/api/plugins",
    "/apps",
    "/apps/",
    "/apps/other",
    "/apps/acme-page2",
    "/apps/acme-page/../other",
    "/apps/acme-page/..",
    "/apps/acme-page/.",
    "/apps/acme-page//x",
    "/apps/acme-page/",
    "/apps/acme-page/%2e%2e/x",
    "//evil.example.org/apps/acme-page",
    "https://evil.example.org/apps/acme-page",
    "javascript:alert(1)",
    "/apps/acme-page?x",
    "/apps/acme-page#x",
    "/apps/acme-page\\..\\x",
    "/apps/acme-page/\u2024\u2024/x",
    "/Apps/acme-page",
    "/apps/ACME-PAGE",
    " /apps/acme-page",
    "/apps/acme-page\n",
    "/apps/acme-page/x\u0000",
    "apps/acme-page",
    "../apps/acme-page",
    "/apps/acme-page;x",
    `/apps/acme-page/${"x".repeat(300)}`,
    "",
    "/apps/./acme-page",
  ];
  const judge = (path: string) => {
    const contributions = { nav: [{ component: "netguard.firewall", title: "T", path }], enhancements: [] };
    const bundle = inMemory(signedLoosely(makeBundle({ id: "acme-page" }), { contributions }));
    return verifyBundle({ bundle, policy, now: Date.now() });
  };
  for (const path of ["/apps/acme-page", "/apps/acme-page/a/b-2"])
    expect((await judge(path)).accepted, path).toBe(true);
  for (const path of paths) {
    const verdict = await judge(path);
    expect(verdict.accepted, path).toBe(false);
    if (!verdict.accepted) expect(verdict.refusal.code, path).toBe("bundle.manifest_invalid");
  }
  tried(context, `${count(paths.length, "paths")} in signed manifests`);
});
