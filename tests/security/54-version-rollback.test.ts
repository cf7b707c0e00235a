import { compareVersions } from "@gatehouse/base";
import { afterAll, expect, test } from "vitest";
import { makeBundle, placeBundle, sha256 } from "../bundles/sample.ts";
import { Chance, counts } from "./support/chance.ts";
import { readAudit } from "./support/people.ts";
import { makePluginPlace, startOver } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/** go-tuf: an older version that was signed once took the place of a newer one, with its old holes. */
const place = await makePluginPlace();
afterAll(() => place[Symbol.asyncDispose]());
const id = "acme-back";
const newer = makeBundle({ id, version: "1.10.0" }, undefined, "the newer program");
const older = makeBundle({ id, version: "1.9.0" }, undefined, "the older program");

test("an older signed version begins at verified again, and is accepted only by its digest, and audited as what it is", async (context) => {
  await placeBundle(place.directory, newer);
  {
    await using started = await startOver(place);
    expect((await started.move(id, "installed")).status).toBe(200);
    // Placed while the server runs, it is neither loaded nor accepted.
    await placeBundle(place.directory, older);
    expect((await started.move(id, "active")).code).toBe("plugin.activation_failed");
    await started.server.kill();
  }
  await using started = await startOver(place);
  expect(await started.find(id)).toMatchObject({
    status: "verified",
    version: "1.9.0",
    change: { downgrade: true, from: { version: "1.10.0" }, to: { version: "1.9.0" } },
    history: [{ version: "1.10.0" }],
  });
  expect((await started.move(id, "active")).code).toBe("plugin.transition_rejected");
  expect((await started.move(id, "installed")).code).toBe("plugin.downgrade_refused");
  expect((await started.move(id, "installed", sha256(newer.artifact))).code).toBe("plugin.digest_stale");
  expect((await started.move(id, "installed", "0".repeat(64))).code).toBe("plugin.digest_stale");
  expect((await started.find(id))?.status).toBe("verified");
  const accepted = await started.move(id, "installed", sha256(older.artifact));
  expect(accepted).toMatchObject({ status: 200, body: { status: "installed", version: "1.9.0" } });
  const told = (await readAudit(started.port, started.owner.as)).filter(({ subject }) => subject === `plugin/${id}`);
  expect(told.at(-1)).toMatchObject({ action: "plugin.installed", detail: { version: "1.9.0", downgrade: true } });
  expect(told.filter(({ detail }) => detail["downgrade"] === true)).toHaveLength(1);
  tried(context, "1 older version: 5 refused ways, and 1 by its digest");
});

test("the newer of two versions is the newer one, however they are written", (context) => {
  const ordered = [
    "0.0.1",
    "0.9.9",
    "1.0.0-0",
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-A",
    "1.0.0-a",
    "1.0.0-a.0",
    "1.0.0-a.a",
    "1.0.0-a-b",
    "1.0.0-rc.1",
    "1.0.0-rc.9",
    "1.0.0-rc.10",
    "1.0.0-rc.10.0",
    "1.0.0",
    "1.0.1",
    "1.9.0",
    "1.10.0",
    "2.0.0",
    "9.0.0",
    "10.0.0",
    "9007199254740991.0.0",
    "9007199254740992.0.0",
    "9007199254740993.0.0",
    "99999999999999999999.0.0",
  ];
  for (const [at, a] of ordered.entries()) {
    for (const [of, b] of ordered.entries())
      expect(Math.sign(compareVersions(a, b)), `${a} ${b}`).toBe(Math.sign(at - of));
  }
  const chance = new Chance("versions");
  const rounds = counts["54 versions"];
  const draw = () => Array.from({ length: 3 }, () => String(BigInt(chance.below(12)) ** BigInt(chance.below(20))));
  for (let round = 0; round < rounds; round += 1) {
    const [a, b] = [draw(), draw()];
    const different = a.findIndex((part, at) => part !== b[at]);
    const expected = different < 0 ? 0 : BigInt(a[different] ?? 0) < BigInt(b[different] ?? 0) ? -1 : 1;
    expect(Math.sign(compareVersions(a.join("."), b.join("."))), `${a.join(".")} ${b.join(".")}`).toBe(expected);
  }
  tried(context, count(ordered.length ** 2 + rounds, "pairs of versions"));
});
