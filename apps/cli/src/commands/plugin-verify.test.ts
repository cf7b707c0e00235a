import { cp, link, mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@gatehouse/base";
import { expect, test } from "vitest";
import {
  acme,
  at,
  bundle,
  changeManifest,
  newKey,
  type PublicKey,
  signedBundle,
  trust,
  usePublisherDirectory,
  verify,
} from "../../test/publisher-directory.ts";
import { runJson, runLine } from "../../test/run-commands.ts";

usePublisherDirectory();

type Spoil = (key: PublicKey) => Promise<unknown>;
const rejections: readonly (readonly [string, string, Spoil])[] = [
  ["unknown publisher", "bundle.publisher_not_trusted", () => trust({ publishers: {} })],
  ["changed manifest", "bundle.invalid_signature", () => changeManifest((text) => text.replace("Hello", "Hullo"))],
  [
    "changed artifact",
    "bundle.artifact_digest_mismatch",
    () => writeFile(join(bundle(), "artifact"), "#!/usr/bin/env bash\n"),
  ],
  ["edited layout", "bundle.manifest_not_canonical", () => changeManifest((text) => text.replace("  ", "   "))],
  ["stray file", "bundle.unexpected_entry", () => writeFile(join(bundle(), ".DS_Store"), "")],
  ["hard link", "bundle.hard_link", () => link(join(bundle(), "artifact"), at("second name"))],
  [
    "narrower ceiling",
    "bundle.capability_beyond_ceiling",
    (key) => trust({ publishers: acme([key], { capabilities: [] }) }),
  ],
  [
    "another prefix",
    "bundle.id_outside_prefixes",
    (key) => trust({ publishers: acme([key], { idPrefixes: ["acme-x-"] }) }),
  ],
  ["revoked key", "bundle.key_revoked", (key) => trust({ publishers: acme([key]), revoked: { keys: [key.id] } })],
  [
    "link to a bundle",
    "bundle.not_a_directory",
    async () => {
      await rename(bundle(), at("elsewhere"));
      await symlink(at("elsewhere"), bundle());
    },
  ],
];

test.each(rejections)("%s: rejected as %s, with exit code 1 and every check", async (_, code, spoil) => {
  const key = await signedBundle();
  expect((await verify()).code).toBe(0);
  await spoil(key);
  const { code: exit, out } = await verify();
  expect(exit).toBe(1);
  expect(out).toContain(`\n  ${code}: `);
  expect(out.match(/^ {2}FAILED /gm)).toHaveLength(1);
  const { found } = await runJson(`plugin verify ${bundle()} --trust ${at("trust.json")}`);
  expect(found).toMatchObject({ ok: false, accepted: false, refusal: { code } });
  const checks = found["checks"] as readonly JsonObject[];
  expect(out.match(/^ {2}(ok|FAILED|skipped) /gm)).toHaveLength(checks.length);
});

test("a bundle can be judged as of another moment", async () => {
  const key = await signedBundle();
  await trust({ publishers: acme([{ ...key, notAfter: "2027-01-01T00:00:00Z" }]) });
  expect((await verify(" --at 2026-12-31")).code).toBe(0);
  expect((await verify(" --at 2027-01-02")).out).toContain("bundle.key_expired");
  expect((await verify(" --at tomorrow")).code).toBe(2);
});

test("a trust policy is shown with what it allows, and with warnings before they hurt", async () => {
  const [one, two] = [await newKey("one.key"), await newKey("two.key")];
  const inTenDays = new Date(Date.now() + 10.5 * 24 * 60 * 60_000).toISOString().replace(/\.\d+/, "");
  await trust({
    publishers: acme([{ ...one, notAfter: inTenDays }, two], { threshold: 2 }),
    revoked: { keys: [two.id] },
  });
  const { code, out } = await runLine(`trust check ${at("trust.json")}`);
  expect(code).toBe(0);
  expect(out).toContain("2 of 2 keys must sign");
  expect(out).toContain(`Warning: the key ${one.id} of acme expires in 10 days`);
  expect(out).toContain(`Warning: the key ${two.id} of acme is revoked`);
  expect(out).toContain("Warning: nothing of acme is accepted: 2 must sign, and 1 key may");
  const { found } = await runJson(`trust check ${at("trust.json")}`);
  expect(found["warnings"]).toHaveLength(3);
});

test("a trust policy that is not valid is told with the place", async () => {
  const key = await newKey("acme.key");
  await trust({ publishers: acme([{ ...key, id: "0".repeat(32) }]) });
  expect(await runLine(`trust check ${at("trust.json")}`)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/trust\.invalid: \/publishers\/acme\/keys\/0\/id: expected/),
  });
  await cp(at("acme.key"), at("trust.json"));
  expect((await runLine(`trust check ${at("trust.json")}`)).code).toBe(1);
  await mkdir(at("none"));
  expect((await runLine(`trust check ${at("none")}`)).code).toBe(2);
});
