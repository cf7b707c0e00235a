import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answering } from "../../test/no-terminal.ts";
import {
  acme,
  at,
  bundle,
  describePlugin,
  newKey,
  pack,
  sign,
  signedBundle,
  trust,
  usePublisherDirectory,
  verify,
} from "../../test/publisher-directory.ts";
import { runJson, runLine } from "../../test/run-commands.ts";

/** The publisher's verbs on real files: nothing here needs a server. */
usePublisherDirectory();
const passphrase = "fourteen wooden bridges";

test("from a new key to a bundle that is accepted", async () => {
  const terminal = answering(passphrase, passphrase);
  const made = await runLine(`plugin keygen --out ${at("acme.key")} --publisher acme`, { terminal });
  expect(made.code).toBe(0);
  expect(terminal.questions).toEqual([`New passphrase of ${at("acme.key")}: `, "The same again: "]);
  expect((await stat(at("acme.key"))).mode & 0o777).toBe(0o600);
  // What stands on standard output is a trust policy as it is.
  await writeFile(at("trust.json"), made.out);
  expect((await pack()).code).toBe(0);
  const once = answering(passphrase);
  const signed = await runLine(`plugin sign ${bundle()} --key ${at("acme.key")}`, { terminal: once });
  expect(signed).toMatchObject({ code: 0, err: "" });
  expect(once.questions).toEqual([`Passphrase of ${at("acme.key")}: `]);
  const { code, out } = await verify();
  expect(code).toBe(0);
  expect(out).toContain("is accepted: acme-hello 1.0.0 by acme.");
  expect(await readdir(bundle())).toEqual(["artifact", "manifest.json"]);
  expect(await readdir(at("release"))).toEqual(["acme-hello"]);
});

test("a private key appears nowhere but in its file", async () => {
  const { found } = await runJson(`plugin keygen --out ${at("acme.key")} --no-passphrase`);
  const { privateKey } = JSON.parse(await readFile(at("acme.key"), "utf8")) as { privateKey: string };
  expect(privateKey.length).toBeGreaterThan(40);
  await pack();
  const signed = await runLine(`plugin sign ${bundle()} --key ${at("acme.key")} --json`);
  const made = await runLine(`plugin keygen --out ${at("second.key")} --no-passphrase`);
  const second = JSON.parse(await readFile(at("second.key"), "utf8")) as { privateKey: string };
  for (const text of [JSON.stringify(found), signed.out, signed.err]) expect(text).not.toContain(privateKey);
  for (const text of [made.out, made.err]) expect(text).not.toContain(second.privateKey);
  expect(made.err).toContain("NOT locked");
});

test("without a publisher the trust policy says where one is to be written, and is refused until it is", async () => {
  const { out, err } = await runLine(`plugin keygen --out ${at("acme.key")} --no-passphrase`);
  expect(err).toContain("PUBLISHER");
  await writeFile(at("trust.json"), out);
  expect(await runLine(`trust check ${at("trust.json")}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("trust.invalid"),
  });
});

test("the trust policy allows a plugin's own things, and beside them what was asked for by name", async () => {
  const allowed = async (file: string, more: string) => {
    const line = `plugin keygen --out ${at(file)} --publisher acme --no-passphrase${more}`;
    const policy = JSON.parse((await runLine(line)).out) as { publishers: { acme: { capabilities: string[] } } };
    return policy.publishers.acme.capabilities;
  };
  const own = ["kv:read", "kv:write", "log:write"];
  expect(await allowed("own.key", "")).toEqual(own);
  expect(await allowed("more.key", " --capability host:file,kv:read --capability http:egress")).toEqual([
    ...own,
    "http:egress",
    "host:file",
  ]);
  const wrong = `plugin keygen --out ${at("wrong.key")} --publisher acme --no-passphrase --capability host:files`;
  expect(await runLine(wrong)).toMatchObject({ code: 2, err: expect.stringContaining("did you mean host:file?") });
  await expect(stat(at("wrong.key"))).rejects.toThrow("ENOENT");
});

test("a key file is never written over, and nobody is asked for a passphrase first", async () => {
  await writeFile(at("acme.key"), "precious");
  expect(await runLine(`plugin keygen --out ${at("acme.key")}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("cli.exists"),
  });
  expect(await readFile(at("acme.key"), "utf8")).toBe("precious");
});

test("a passphrase is judged, and two that differ make no file", async () => {
  const keygen = `plugin keygen --out ${at("acme.key")}`;
  for (const answers of [["short"], [passphrase, `${passphrase}.`]]) {
    const { code, err } = await runLine(keygen, { terminal: answering(...answers) });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("cli.passphrase_unacceptable") });
  }
  expect((await runLine(`${keygen} --no-passphrase --passphrase-stdin`)).code).toBe(2);
  await expect(stat(at("acme.key"))).rejects.toThrow("ENOENT");
});

test("a wrong passphrase signs nothing", async () => {
  await runLine(`plugin keygen --out ${at("acme.key")} --passphrase-stdin`, { terminal: answering(`${passphrase}\n`) });
  await pack();
  const before = await readFile(join(bundle(), "manifest.json"));
  const line = `plugin sign ${bundle()} --key ${at("acme.key")} --passphrase-stdin`;
  const { code, err } = await runLine(line, { terminal: answering("another one\n") });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("key_file.passphrase_wrong") });
  expect(await readFile(join(bundle(), "manifest.json"))).toEqual(before);
});

test("a key that others could read, a link to one, and a file that is none are refused", async () => {
  await newKey("acme.key");
  await pack();
  await symlink(at("acme.key"), at("link.key"));
  expect((await sign("link.key")).err).toContain("is a link");
  await chmod(at("acme.key"), 0o640);
  expect((await sign("acme.key")).err).toContain("expected mode 0600, found 0640");
  await writeFile(at("odd.key"), "{}", { mode: 0o600 });
  expect((await sign("odd.key")).err).toContain("key_file.invalid");
});

test("a bundle is never written over, and a refused one leaves nothing behind", async () => {
  expect((await pack()).code).toBe(0);
  expect((await pack()).err).toContain("cli.exists");
  await describePlugin({ id: "acme-other", version: "1" });
  const { code, err } = await pack();
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/bundle\.manifest_invalid: \/version: expected/),
  });
  expect(await readdir(at("release"))).toEqual(["acme-hello"]);
});

test.each([
  ["a digest of its own", { artifact: { sha256: "0".repeat(64), size: 1 } }, 2, "expected no artifact"],
  ["an id that is a path", { id: "../evil" }, 2, "id: expected 2 to 63"],
  ["a field that does not exist", { colour: "red" }, 1, "bundle.manifest_invalid"],
  ["a capability that does not exist", { capabilities: ["host:everything"] }, 1, "a capability that exists"],
  ["hosts without the capability", { egress: { hosts: ["example.com"] } }, 1, "http:egress"],
  ["hosts that are no object", { egress: null }, 2, "egress: expected"],
  [
    "a page of somebody else",
    { contributions: { nav: [{ component: "a.b", title: "A", path: "/login" }], enhancements: [] } },
    1,
    "/apps/acme-hello",
  ],
])("a description with %s is refused", async (_, changes, code, why) => {
  await describePlugin(changes);
  const packed = await pack();
  expect(packed.code).toBe(code);
  expect(packed.err).toContain(why);
  expect(await readdir(at("release")).catch(() => [])).toEqual([]);
});

test("an artifact that was changed after packing is not signed", async () => {
  await newKey("acme.key");
  await pack();
  await writeFile(join(bundle(), "artifact"), "#!/bin/sh\n");
  const { code, err } = await sign("acme.key");
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("artifact digest mismatch: expected ") });
});

test("several keys sign one after the other, and a threshold counts them", async () => {
  const [one, two] = [await newKey("one.key"), await newKey("two.key")];
  await pack();
  await trust({ publishers: acme([one, two], { threshold: 2 }) });
  await sign("one.key");
  await sign("one.key");
  expect((await verify()).out).toContain("bundle.threshold_not_met");
  expect((await sign("two.key")).out).toContain("it has 2 signatures");
  expect((await verify()).code).toBe(0);
});

test("what a bundle claims is said in words, and that nothing of it was verified", async () => {
  await signedBundle();
  const { code, out } = await runLine(`plugin inspect ${bundle()}`);
  expect(code).toBe(0);
  expect(out).toMatch(/^NOT VERIFIED: the bundle claims to be acme-hello 1\.0\.0 by acme\.\n/);
  for (const part of ["own things", "was not checked", "the artifact the manifest names"]) expect(out).toContain(part);
  expect((await runJson(`plugin inspect ${bundle()}`)).found).toMatchObject({ ok: true, verified: false });
  await writeFile(join(bundle(), "artifact"), "other");
  expect(await runLine(`plugin inspect ${bundle()}`)).toMatchObject({
    code: 1,
    out: expect.stringContaining("ANOTHER ARTIFACT"),
  });
});
