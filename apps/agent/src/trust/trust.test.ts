import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { firstTrust, parseTrust, trustDigest } from "@gatehouse/approval/verify";
import { describe, expect, test } from "vitest";
import { makeApproverKey } from "../../test/approver-keys.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { readApprovers } from "./approvers.ts";
import { confirmApprovers } from "./confirm-approvers.ts";
import { describeTrust, trustJson } from "./describe-trust.ts";
import { findTrust, readTrust } from "./read-trust.ts";
import { nameApprovers } from "./name-approvers.ts";
import { putTrust } from "./put-trust.ts";
import { resetTrust } from "./reset-trust.ts";
import { resetReport, trustReport } from "./trust-report.ts";

const ada = makeApproverKey(1, "ada");
const bob = makeApproverKey(2, "bob");
const personsOf = (...keys: readonly (typeof ada)[]) => readApprovers(keys.map(({ line }) => line));

/** A host, and a root who types the right characters unless told otherwise. */
function makeRoot(typed: (fingerprint: string) => string | undefined = (fingerprint) => fingerprint.slice(-8)) {
  const place = makeHostDirectory();
  const shown: string[] = [];
  const askPerson = () => typed(/SHA256:\S+/.exec(shown.shift() ?? "")?.[0] ?? "");
  const deps = { place, show: (line: string) => void shown.push(line), askPerson, now: () => 1_800_000_000_999 };
  const write = (bytes: Uint8Array | string, mode = 0o644) => {
    mkdirSync(place.paths.settings, { recursive: true });
    writeFileSync(place.paths.trust, bytes);
    chmodSync(place.paths.trust, mode);
  };
  const read = () => new Uint8Array(readFileSync(place.paths.trust));
  const name = (...keys: readonly (typeof ada)[]) =>
    nameApprovers(deps, { lines: keys.map(({ line }) => line), fingerprints: [] });
  const reset = (...keys: readonly (typeof ada)[]) =>
    resetTrust(deps, { lines: keys.map(({ line }) => line), fingerprints: [] });
  return { place, deps, shown, write, read, name, reset };
}

describe("reading approvers", () => {
  test("a person is called as the comment of the key says", () => {
    expect(personsOf(ada, bob).map(({ name, fingerprint }) => [name, fingerprint])).toEqual([
      ["ada", ada.fingerprint],
      ["bob", bob.fingerprint],
    ]);
  });

  test("a comment that can be no name, or that another has, gives way to a number", () => {
    const keys = [
      makeApproverKey(1, ""),
      makeApproverKey(2, "ada"),
      makeApproverKey(3, "ada"),
      makeApproverKey(4, "approver-5"),
      makeApproverKey(5, "a\u202eb"),
      makeApproverKey(6, "x".repeat(65)),
    ];
    expect(personsOf(...keys).map(({ name }) => name)).toEqual([
      "approver-1",
      "ada",
      "approver-3",
      "approver-5",
      "approver-6",
      "approver-7",
    ]);
  });

  test("a line that is no key, and a weak key, are refused by the place of the line", () => {
    expect(() => readApprovers([ada.line, "ssh-rsa AAAA bob"])).toThrow(/^key\.type: approver 2: /);
    const weak = Buffer.from(ada.blob);
    weak.fill(0, weak.length - 32);
    expect(() => readApprovers([`ssh-ed25519 ${weak.toString("base64")}`])).toThrow(/^key\.weak: approver 1: /);
  });

  test("what is no refusal is passed on", () => {
    expect(() => readApprovers([undefined as unknown as string])).toThrow(TypeError);
  });
});

describe("confirming them", () => {
  const shown: string[] = [];
  const confirm = (typed: (string | undefined)[] | undefined, fingerprints: readonly string[] = []) => {
    shown.length = 0;
    const askPerson = typed === undefined ? undefined : () => typed.shift();
    confirmApprovers({ show: (line) => void shown.push(line), askPerson }, personsOf(ada, bob), fingerprints);
  };
  const ends = () => [ada.fingerprint.slice(-8), ` ${bob.fingerprint.slice(-8)} `];

  test("every fingerprint is shown before the first is asked for", () => {
    confirm(ends());
    expect(shown).toEqual([`ada: ${ada.fingerprint}`, `bob: ${bob.fingerprint}`]);
  });

  test.each([
    ["another end", [ada.fingerprint.slice(-8), ada.fingerprint.slice(-8)]],
    ["the whole fingerprint", [ada.fingerprint, bob.fingerprint]],
    ["too little", [ada.fingerprint.slice(-7), bob.fingerprint.slice(-7)]],
    ["nothing", ["", ""]],
    ["the end of the input", [undefined]],
  ])("%s confirms nothing", (_, typed) => {
    expect(() => confirm([...typed])).toThrow(/^trust\.fingerprint: what was typed/);
  });

  test("where nobody can type, the fingerprints have to be given, each of them and no other", () => {
    confirm(undefined, [bob.fingerprint, ada.fingerprint]);
    expect(() => confirm(undefined)).toThrow(/^trust\.fingerprint: nobody can type here/);
    expect(() => confirm(undefined, [ada.fingerprint])).toThrow(/^trust\.fingerprint: bob: /);
    const third = makeApproverKey(3).fingerprint;
    expect(() => confirm(undefined, [ada.fingerprint, bob.fingerprint, third])).toThrow(/belongs to none/);
  });

  test("given fingerprints spare nobody at a terminal the typing, and are held to as well", () => {
    expect(() => confirm(["", ""], [ada.fingerprint, bob.fingerprint])).toThrow(/^trust\.fingerprint: what was typed/);
    expect(() => confirm(ends(), [ada.fingerprint])).toThrow(/^trust\.fingerprint: bob: /);
  });
});

describe("naming them", () => {
  test("the first trust file has one person for each key, for everybody to read", async () => {
    const { place, name, read } = makeRoot();
    await name(ada, bob);
    expect(read()).toEqual(firstTrust(personsOf(ada, bob)));
    expect(statSync(place.paths.trust).mode & 0o777).toBe(0o644);
    expect(readTrust(place)).toMatchObject({ epoch: 1, prev: null, thresholds: { change: 1, network: 1 } });
  });

  test("the same keys again leave the file as it is, whatever its epoch and names", async () => {
    const { name, read, write } = makeRoot();
    const before = firstTrust([{ name: "Both", keys: [{ blob: bob.blob }, { blob: ada.blob }] }], { epoch: 3 });
    write(before);
    await name(ada, bob);
    expect(read()).toEqual(before);
  });

  test.each([
    ["another key", [bob]],
    ["a key more", [ada, bob]],
  ])("%s is refused, and what is there is named", async (_, keys) => {
    const { name, read, reset } = makeRoot();
    await reset(ada);
    const before = read();
    await expect(name(...keys)).rejects.toThrow(new RegExp(`^trust\\.other_keys: .*${trustDigest(before)}`));
    expect(read()).toEqual(before);
  });

  test("a damaged file is not replaced in passing", async () => {
    const { name, write, read } = makeRoot();
    write("{}");
    await expect(name(ada)).rejects.toThrow(/^trust\.unsound/);
    expect(read()).toEqual(new TextEncoder().encode("{}"));
  });

  test("nothing is written without the confirmation, nor for keys that no trust file takes", async () => {
    const { place, name } = makeRoot(() => "wrong");
    await expect(name(ada)).rejects.toThrow(/^trust\.fingerprint/);
    await expect(name(ada, ada)).rejects.toThrow(/^trust\.form/);
    expect(findTrust(place)).toEqual({ t: "none" });
  });
});

describe("setting them anew", () => {
  test("the epoch goes on, no file stands before it, and the earlier one is given back", async () => {
    const { place, reset } = makeRoot();
    expect(await reset(ada)).toEqual({ t: "none" });
    const first = readTrust(place);
    expect(first.epoch).toBe(1);
    expect(await reset(bob)).toMatchObject({ t: "sound", trust: { digest: first.digest } });
    expect(readTrust(place)).toMatchObject({ epoch: 2, prev: null, persons: [{ name: "bob" }] });
  });

  test("the same keys get another digest: what was signed for the earlier file counts no more", async () => {
    const { place, reset } = makeRoot();
    await reset(ada);
    const { digest } = readTrust(place);
    await reset(ada);
    expect(readTrust(place).digest).not.toBe(digest);
  });

  test("behind a damaged file stands an epoch that no host has counted to", async () => {
    const { place, reset, write } = makeRoot();
    write(firstTrust(personsOf(ada), { epoch: 5 }), 0o666);
    expect(await reset(ada)).toMatchObject({ t: "unsound", why: expect.stringContaining("0666") });
    expect(readTrust(place).epoch).toBe(1_800_000_000);
  });

  test("without the confirmation the earlier file stays", async () => {
    const { deps, reset, read } = makeRoot();
    await reset(ada);
    const before = read();
    const wrong = { ...deps, askPerson: () => "wrong" };
    await expect(resetTrust(wrong, { lines: [bob.line], fingerprints: [] })).rejects.toThrow(/^trust\.fingerprint/);
    expect(read()).toEqual(before);
  });
});

describe("believing the file", () => {
  test("a host without one has none", () => {
    const { place } = makeRoot();
    expect(findTrust(place)).toEqual({ t: "none" });
    expect(() => readTrust(place)).toThrow(/^trust\.none: expected .*trust\.json/);
  });

  test("one that others could have written is not believed", () => {
    const { place, write } = makeRoot();
    write(firstTrust(personsOf(ada)), 0o664);
    expect(findTrust(place)).toMatchObject({ t: "unsound", why: expect.stringMatching(/trust\.json: .*0664$/) });
    expect(() => readTrust(place)).toThrow(/^trust\.unsound/);
  });

  test("one of another owner is not believed", async () => {
    const { place, name } = makeRoot();
    await name(ada);
    expect(findTrust({ ...place, owner: place.owner + 1 })).toMatchObject({ t: "unsound" });
  });

  test("a link in its place is not followed", async () => {
    const { place, write } = makeRoot();
    write("");
    symlinkSync(place.paths.trust, `${place.paths.trust}.link`);
    expect(findTrust({ ...place, paths: { trust: `${place.paths.trust}.link` } })).toMatchObject({ t: "unsound" });
  });

  test("one byte more is another file, and none that is believed", async () => {
    const { place, name, read, write } = makeRoot();
    await name(ada);
    write(new Uint8Array([...read(), 10]));
    expect(findTrust(place)).toMatchObject({ t: "unsound", why: expect.stringMatching(/trust\.json: trust\.form: /) });
    expect(() => readTrust(place)).toThrow(/^trust\.unsound: .*trust\.form/);
  });

  test("what is no refusal is passed on", () => {
    expect(() => findTrust({ paths: undefined as never, owner: 0 })).toThrow(TypeError);
  });
});

describe("showing it", () => {
  const soundOf = (bytes: Uint8Array) => ({ t: "sound", bytes, trust: parseTrust(bytes) }) as const;
  const both = soundOf(firstTrust(personsOf(ada, bob), { notAfter: 1_900_000_000_000 }));
  const unsound = { t: "unsound", why: "trust.form: /epoch" } as const;

  test("the words name persons, fingerprints, thresholds, the end, epoch and digest", () => {
    const words = describeTrust(both).join("\n");
    for (const part of [
      `ada: ssh-ed25519 ${ada.fingerprint}`,
      `bob: ssh-ed25519 ${bob.fingerprint}`,
      "1 for a change, 1 for a change of the network, 1 for an update, 1 for a terminal, 1 for the next trust file",
      "From 2030-03-17T17:46:40Z on it approves nothing.",
      "Epoch of the trust file: 1",
      both.trust.digest,
    ]) {
      expect(words).toContain(part);
    }
    expect(describeTrust(soundOf(firstTrust(personsOf(ada)))).join()).toContain("has no end");
  });

  test("JSON has the same, and says of a security key whether it asks for its PIN", () => {
    const application = Buffer.from("0000000473 73683a".replace(" ", ""), "hex");
    const type = Buffer.from("sk-ssh-ed25519@openssh.com");
    const blob = new Uint8Array([0, 0, 0, type.byteLength, ...type, ...ada.blob.subarray(-36), ...application]);
    const bytes = firstTrust([{ name: "Ada", keys: [{ blob, uv: false }, { blob: bob.blob }] }]);
    expect(trustJson(soundOf(bytes))).toMatchObject({
      epoch: 1,
      prev: null,
      digest: trustDigest(bytes),
      notAfter: null,
      networkConfirmation: "path",
      persons: [
        {
          name: "Ada",
          keys: [
            { type: "sk-ssh-ed25519@openssh.com", pin: false },
            { type: "ssh-ed25519", fingerprint: bob.fingerprint },
          ],
        },
      ],
    });
    expect(trustJson(both)).toMatchObject({ notAfter: "2030-03-17T17:46:40Z" });
    expect(trustJson(unsound)).toBeNull();
  });

  test.each([
    ["signed", both, true],
    ["signed", { t: "none" }, false],
    ["signed", unsound, false],
    ["none", { t: "none" }, true],
    ["server", { t: "none" }, true],
    ["none", unsound, false],
    [null, both, true],
  ] as const)("a host that accepts %s, with %o, is well: %s", (accepts, found, ok) => {
    expect(trustReport({ accepts, found })).toMatchObject({ ok, json: { accepts } });
  });

  test("the first line says whose word counts, or that only root can tell", () => {
    expect(trustReport({ accepts: "server", found: both }).lines[0]).toContain("The server's word counts");
    expect(trustReport({ accepts: null, found: both }).lines[0]).toContain("root alone can read");
    expect(trustReport({ accepts: "none", found: unsound })).toMatchObject({ json: { problem: unsound.why } });
  });

  test("a reset says what was there before", () => {
    const linesAfter = (earlier: Parameters<typeof resetReport>[0]) =>
      resetReport(earlier, { accepts: "signed", found: both }).lines.join("\n");
    expect(linesAfter({ t: "none" })).toContain("There was none before.");
    expect(linesAfter(unsound)).toContain("could not be believed: trust.form: /epoch");
    expect(linesAfter(both)).toContain(`The digest of the earlier one was ${both.trust.digest}.`);
    expect(resetReport(both, { accepts: "none", found: both })).toMatchObject({
      ok: true,
      json: { earlierDigest: both.trust.digest },
    });
    expect(resetReport(unsound, { accepts: "none", found: both }).json).toMatchObject({ earlierDigest: null });
  });
});

test("what is put is read again byte for byte, also where names are not of ASCII", async () => {
  const { place, read } = makeRoot();
  const bytes = firstTrust([{ name: "Åsa Ñandú", keys: [{ blob: ada.blob }] }]);
  await putTrust(place, bytes);
  expect(read()).toEqual(bytes);
});
