import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeBundle, listEntries, parseTrustPolicy } from "@gatehouse/bundle/verify";
import { expect, onTestFinished, test } from "vitest";
import { seedPlugins } from "./seed-plugins.ts";

test("the seeded directory holds accepted bundles and a rejected one, under its own policy", async () => {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-seed-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const places = seedPlugins(directory);
  const policy = parseTrustPolicy(readFileSync(places.trust));
  const verdicts: Record<string, string> = {};
  for (const name of (await listEntries(places.plugins)).names) {
    const verdict = await judgeBundle({ directory: places.plugins, name, policy, now: Date.now() });
    verdicts[name] = verdict.accepted ? "accepted" : verdict.refusal.code;
  }
  expect(verdicts).toEqual({
    "example-firewall": "accepted",
    "example-hello": "accepted",
    "example-webhook": "bundle.capability_beyond_ceiling",
  });
});
