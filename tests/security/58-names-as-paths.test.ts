import { mkdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { openBundle, verifyBundle } from "@gatehouse/bundle/verify";
import { isFault } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { inMemory, makeBundle, placeBundle, policyOf } from "../bundles/sample.ts";
import { inLanes } from "./support/in-lanes.ts";
import { call } from "./support/people.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { signedLoosely } from "./support/signed-loosely.ts";
import { count, tried } from "./support/tried.ts";

/** go-tuf, sigstore: a name inside signed metadata was joined to a folder. */
const names = [
  "",
  ".",
  "..",
  "../acme-name",
  "../../etc",
  "/etc",
  "/",
  "acme/name",
  "acme\\name",
  "..\\..\\x",
  "acme-name/",
  "acme-name/.",
  "./acme-name",
  "acme-name\u0000",
  "acme-name\n",
  "\nacme-name",
  " acme-name",
  "acme-name ",
  "acme name",
  "acme.name",
  "acme_name",
  "acme-name.",
  "...",
  "~",
  "~root",
  "-acme",
  "--help",
  "@file",
  "$HOME",
  "`id`",
  "$(id)",
  "acme;id",
  "acme|id",
  "acme&id",
  "acme*",
  "acme?",
  "[acme]",
  "{acme}",
  "acme:stream",
  "acme%2fname",
  "%2e%2e",
  "ACME-NAME",
  "Acme",
  "acmé",
  "аcme",
  "acme\u200bname",
  "acme\u202ename",
  "acme\ufeff",
  "．．／acme",
  "CON",
  "a",
  "a".repeat(64),
  "a".repeat(255),
  "a".repeat(5_000),
  "__proto__",
  "\ud800",
  "acme\u2028name",
  "acme\tname",
  "acme\rname",
  "acme\u001b[31m",
  "<b>acme</b>",
  '"acme"',
  "'acme'",
  "acme#",
  "acme+",
  "acme,",
  "acme=1",
];

test("an id in a signed manifest is letters, digits and dashes, or the manifest is refused", async (context) => {
  const policy = policyOf();
  for (const id of names) {
    for (const fields of [{ id }, { publisher: id }]) {
      // The directory is called as the manifest says, so that only the form of the name is left to object to.
      const loose = trySign(fields);
      if (loose === undefined) continue;
      const verdict = await verifyBundle({
        bundle: inMemory({ ...loose, id: fields.id ?? "acme-name" }),
        policy,
        now: 0,
      });
      expect(verdict.accepted, JSON.stringify(fields)).toBe(false);
    }
    await expect(openBundle("/tmp", id), JSON.stringify(id)).rejects.toSatisfy((error) =>
      isFault(error, "bundle.name_invalid"),
    );
  }
  tried(context, `${count(names.length, "names")} in signed manifests`);
});

test("a name that is well-formed and means something to the language means nothing here", async () => {
  const policy = policyOf();
  for (const publisher of ["constructor", "valueof", "tostring", "hasownproperty"]) {
    const bundle = inMemory(signedLoosely(makeBundle({ id: "acme-name" }), { publisher }));
    const verdict = await verifyBundle({ bundle, policy, now: 0 });
    expect(verdict).toMatchObject({ accepted: false, refusal: { code: "bundle.publisher_not_trusted" } });
  }
});

const place = await makePluginPlace();
const onDisk = names.filter(
  (name) => name !== "" && name !== "." && name !== ".." && !/[/\0\ud800]/.test(name) && Buffer.byteLength(name) <= 255,
);
for (const name of onDisk) await placeBundle(place.directory, makeBundle({ id: "acme-name" }), name);
// Names that are no text at all.
for (const bytes of [[0xff, 0xfe], [0x61, 0xc0, 0xaf], [0x80], [0xe2, 0x28, 0xa1]]) {
  mkdirSync(Buffer.concat([Buffer.from(`${place.directory}/`), Buffer.from(bytes)]));
}
await placeBundle(place.directory, makeBundle({ id: "acme-good" }));
const before = await readdir(place.path);
const started = await sharedPlugins(place);

test("a directory with such a name is refused for its name, told in one line each, and never reached", async (context) => {
  const { items, rejections } = await started.list();
  expect(items.map(({ id }) => id)).toEqual(["acme-good"]);
  const codes = new Set(rejections.map(({ code }) => code));
  expect([...codes]).toEqual(["bundle.name_invalid"]);
  expect(rejections).toHaveLength(onDisk.length + 4);
  for (const { name, detail } of rejections) expect(`${name}${detail}`).not.toMatch(hidden);
  for (const line of started.server.stdout().trimEnd().split("\n")) {
    expect(() => JSON.parse(line) as unknown, line).not.toThrow();
    expect(line).not.toMatch(hidden);
  }
  expect(await readdir(place.path)).toEqual([...before, "data"].sort());
  tried(context, `${count(rejections.length, "directories")} at a start`);
});

/** What moves a cursor, turns the direction of writing or hides. */
const hidden = /[\p{Cc}\u2028\u2029\u200b\u202e\ufeff]/u;

test("an id in a request is a name as well, and nothing else", async (context) => {
  const wrong = await inLanes(names, 4, async (id) => {
    const asked = [
      await call(started.port, "POST", "/api/plugins/verify", { as: started.owner.as, body: { id } }),
      await call(started.port, "POST", "/api/plugins/lifecycle", {
        as: started.owner.as,
        body: { id, status: "installed" },
      }),
    ];
    return asked.flatMap(({ status }) => (status === 400 ? [] : [`${JSON.stringify(id.slice(0, 30))}: ${status}`]));
  });
  expect(wrong.flat()).toEqual([]);
  expect(started.server.isAlive()).toBe(true);
  tried(context, `${count(names.length * 2, "requests")} answered 400`);
});

/** What has no byte form cannot be signed by anybody. */
function trySign(fields: Record<string, string>) {
  try {
    return signedLoosely(makeBundle({ id: "acme-name" }), fields);
  } catch {
    return undefined;
  }
}
