import { fault } from "@gatehouse/contract/faults";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import type { Operation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { codeIn } from "../../test/code-in.ts";
import { idOf, keptOf, replaceWith, signed, updateTo } from "../../test/made-artifact.ts";
import { elfOf } from "../../../../tests/support/elf-program.ts";
import { weakKeys } from "../../../../tests/support/weak-keys.ts";
import { type ArtifactScene, judgeArtifacts, type SigningKey } from "./judge-artifacts.ts";
import type { KeptArtifact } from "./kept-artifact.ts";
import { artifactMessage, artifactOf } from "@gatehouse/plan";

const [acme, other, release, next] = [61, 62, 63, 64].map((seed) =>
  importPrivateKey(new Uint8Array(32).fill(seed)),
) as [Key, Key, Key, Key];
type Key = ReturnType<typeof importPrivateKey>;
const keyOf = (key: Key): SigningKey => ({ id: idOf(key), key: publicKeyBytes(key) });

interface Told {
  readonly publishers?: readonly (readonly [string, readonly SigningKey[]])[];
  readonly releaseKeys?: readonly SigningKey[];
  readonly version?: string;
  readonly architecture?: string;
  readonly floor?: string;
}

function sceneOf(told: Told = {}): ArtifactScene {
  const { publishers = [["acme", [keyOf(acme)]]], releaseKeys = [keyOf(release), keyOf(next)] } = told;
  const { version = "0.2.1", architecture = "x64", floor = "0.2.0" } = told;
  return {
    findPublishers: () => new Map(publishers),
    release: { getKeys: () => releaseKeys, floor },
    running: { version, architecture },
  };
}

const judge = (operations: readonly Operation[], artifacts: readonly KeptArtifact[], told: Told = {}) =>
  codeIn(judgeArtifacts(sceneOf(told), operations, artifacts));

const tool = elfOf("x64");
const armTool = elfOf("arm64");
const goodReplace = signed(replaceWith(tool), acme);
const goodUpdate = signed(updateTo(tool), release);

test("what its publisher or the release key has signed is taken; operations without an artifact ask for none", async () => {
  expect(await judge([goodReplace], [keptOf(tool)])).toBe("taken");
  expect(await judge([goodUpdate], [keptOf(tool)])).toBe("taken");
  expect(await judge([signed(updateTo(tool), next)], [keptOf(tool)]), "the key that comes next").toBe("taken");
  const twice = signed(replaceWith(tool, { path: "/opt/tool2" }), acme);
  expect(await judge([goodReplace, twice], [keptOf(tool)]), "one artifact in two places").toBe("taken");
  expect(await judge([{ kind: "service.restart", unit: "app.service" }], [])).toBe("taken");
});

test("on a host of another processor the same is asked of its own", async () => {
  const told = { architecture: "arm64" };
  const arm = signed(replaceWith(armTool, { architecture: "arm64" }), acme);
  expect(await judge([arm], [keptOf(armTool)], told)).toBe("taken");
  expect(await judge([goodReplace], [keptOf(tool)], told)).toBe("artifact.architecture");
});

test("39: an artifact that is not here, of another size, or that no operation names", async () => {
  expect(await judge([goodReplace], [])).toBe("artifact.missing");
  expect(await judge([goodReplace], [keptOf(armTool)])).toBe("artifact.missing");
  expect(await judge([signed(replaceWith(tool, { size: 65 }), acme)], [keptOf(tool)])).toBe("artifact.digest");
  expect(await judge([goodReplace], [keptOf(tool), keptOf(armTool)])).toBe("artifact.digest");
  expect(await judge([{ kind: "service.restart", unit: "app.service" }], [keptOf(tool)])).toBe("artifact.digest");
});

test("40: every fact is signed: none of them can be changed behind the signature", async () => {
  const facts = [{ name: "tool2" }, { version: "1.0.1" }, { architecture: "arm64" }, { publisher: "other" }];
  const publishers = [
    ["acme", [keyOf(acme)]],
    ["other", [keyOf(acme)]],
  ] as const;
  for (const fact of facts) {
    const changed = signed(replaceWith(tool, fact), acme, replaceWith(tool));
    expect(await judge([changed], [keptOf(tool)], { publishers }), JSON.stringify(fact)).toBe("artifact.signature");
  }
  const another = signed(replaceWith(armTool), acme, replaceWith(tool));
  expect(await judge([another], [keptOf(armTool)]), "other bytes").toBe("artifact.signature");
  const longer = signed(replaceWith(tool), acme, replaceWith(tool, { size: 65 }));
  expect(await judge([longer], [keptOf(tool)]), "another size").toBe("artifact.signature");
  for (const fact of [{ version: "0.4.0" }, { architecture: "arm64" }]) {
    const changed = signed(updateTo(tool, fact), release, updateTo(tool));
    expect(await judge([changed], [keptOf(tool)]), JSON.stringify(fact)).toBe("artifact.signature");
  }
});

test("40: a program whose plan does not say what it is was signed by nobody", async () => {
  for (const field of ["name", "version", "architecture"]) {
    const { [field]: _, ...rest } = goodReplace as unknown as Record<string, unknown>;
    expect(await judge([rest as unknown as Operation], [keptOf(tool)]), field).toBe("artifact.signature");
  }
});

test("40: a release is no program of a publisher, and a program no release, even where one key has signed both", async () => {
  const told = {
    publishers: [["acme", [keyOf(release), keyOf(acme)]]],
    releaseKeys: [keyOf(release), keyOf(acme)],
  } as const;
  const facts = { name: "gatehouse-agent", version: "0.3.0" };
  const asRelease = signed(replaceWith(tool, facts), release, updateTo(tool));
  expect(await judge([asRelease], [keptOf(tool)], told)).toBe("artifact.signature");
  const asProgram = signed(updateTo(tool), acme, replaceWith(tool, facts));
  expect(await judge([asProgram], [keptOf(tool)], told)).toBe("artifact.signature");
  expect(await judge([signed(replaceWith(tool, facts), release)], [keptOf(tool)])).toBe("artifact.signature");
  expect(await judge([signed(updateTo(tool), acme)], [keptOf(tool)])).toBe("artifact.signature");
});

test("40: another key, another key's id, and a key of another publisher", async () => {
  const told = {
    publishers: [
      ["acme", [keyOf(acme)]],
      ["other", [keyOf(other)]],
    ],
  } as const;
  expect(await judge([signed(replaceWith(tool), other)], [keptOf(tool)], told)).toBe("artifact.signature");
  const { signature } = goodReplace;
  const borrowed = {
    ...goodReplace,
    signature: { ...signed(replaceWith(tool), other).signature, keyId: signature.keyId },
  };
  expect(await judge([borrowed], [keptOf(tool)], told)).toBe("artifact.signature");
  expect(await judge([signed(replaceWith(tool, { publisher: "other" }), other)], [keptOf(tool)], told)).toBe("taken");
});

test("40: a publisher that the trust file does not name; one without keys has signed nothing", async () => {
  for (const publisher of ["other", "constructor", "__proto__"]) {
    const named = signed(replaceWith(tool, { publisher }), acme);
    expect(await judge([named], [keptOf(tool)]), publisher).toBe("artifact.publisher");
  }
  expect(await judge([goodReplace], [keptOf(tool)], { publishers: [] })).toBe("artifact.publisher");
  expect(await judge([goodReplace], [keptOf(tool)], { publishers: [["acme", []]] })).toBe("artifact.signature");
});

test("40: a signature in another spelling, of another length, or with S beyond the order is none", async () => {
  const { keyId, ed25519 } = goodReplace.signature;
  const bytes = new Uint8Array(Buffer.from(ed25519, "base64"));
  const beyond = Buffer.from(withOrderAdded(bytes)).toString("base64");
  const flipped = Buffer.from(bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte))).toString("base64");
  const wrong = [beyond, flipped, "", ed25519.slice(0, 84), `${ed25519}AAAA`, `${"A".repeat(86)}==`];
  for (const text of wrong) {
    const operation = { ...goodReplace, signature: { keyId, ed25519: text } };
    expect(await judge([operation], [keptOf(tool)]), text).toBe("artifact.signature");
  }
});

test("40: a key that anybody can sign for is refused by name, of a publisher and of releases", async () => {
  // R the neutral point and S zero: what some runtimes verify under such keys.
  const ed25519 = Buffer.from([1, ...new Uint8Array(63)]).toString("base64");
  for (const weak of weakKeys) {
    const key = { id: "f".repeat(32), key: Uint8Array.fromHex(weak) };
    const told = { publishers: [["acme", [key]]], releaseKeys: [key] } as const;
    const signature = { keyId: key.id, ed25519 };
    expect(await judge([{ ...goodReplace, signature }], [keptOf(tool)], told), weak).toBe("key.weak");
    expect(await judge([{ ...goodUpdate, signature }], [keptOf(tool)], told), weak).toBe("key.weak");
  }
});

test("40: without a release key that may be believed no release is taken, and programs still are", async () => {
  for (const code of ["release.key_absent", "release.test_key"] as const) {
    const getKeys = () => {
      throw fault(code, "as compiled");
    };
    const scene = { ...sceneOf(), release: { getKeys, floor: "0.2.0" } };
    expect(await codeIn(judgeArtifacts(scene, [goodUpdate], [keptOf(tool)]))).toBe(code);
    expect(await codeIn(judgeArtifacts(scene, [goodReplace], [keptOf(tool)]))).toBe("taken");
  }
});

test.each<[string, Uint8Array]>([
  ["a program for the other processor", armTool],
  ["a script", new TextEncoder().encode("#!/bin/sh\necho a script that is long enough\n")],
  ["a head that is cut off", tool.subarray(0, 19)],
  ["another magic", changedAt(tool, 0, 0x7e)],
  ["a class of 32 bits", changedAt(tool, 4, 1)],
  ["the other order of bytes", changedAt(tool, 5, 2)],
  ["a processor beyond the lower byte", changedAt(tool, 19, 1)],
])("40: %s is no program for this host, whatever its publisher signed", async (_, bytes) => {
  expect(await judge([signed(replaceWith(bytes), acme)], [keptOf(bytes)])).toBe("artifact.architecture");
  expect(await judge([signed(updateTo(bytes), release)], [keptOf(bytes)])).toBe("artifact.architecture");
});

test("40: by its own word it is for another processor, whatever its bytes are", async () => {
  const words = [{ architecture: "arm64" }, { architecture: "" }, { architecture: "X64" }];
  for (const word of words) {
    expect(await judge([signed(replaceWith(tool, word), acme)], [keptOf(tool)])).toBe("artifact.architecture");
  }
});

test.each<[string, string, string?]>([
  ["0.2.1", "0.2.1"],
  ["0.2.0", "0.2.1"],
  ["0.2.1-alpha.3", "0.2.1"],
  ["0.2.1-alpha.9", "0.2.1-alpha.10"],
  ["0.3.0", "0.2.1", "0.4.0"],
  ["0.4.0-rc.1", "0.2.1", "0.4.0"],
  // No strict version: it stands nowhere in the order.
  ["0.3.0-01", "0.2.1"],
])("41: version %s is not taken where %s runs", async (version, running, floor = "0.2.0") => {
  const update = signed(updateTo(tool, { version }), release);
  expect(await judge([update], [keptOf(tool)], { version: running, floor })).toBe("artifact.downgrade");
});

test.each<[string, string, string?]>([
  ["0.2.1", "0.2.1-alpha.2"],
  ["0.2.1-alpha.10", "0.2.1-alpha.9", "0.2.1-alpha.10"],
  ["0.10.0", "0.9.9"],
  ["0.3.0", "0.0.0-source"],
])("41: version %s is taken where %s runs", async (version, running, floor = "0.2.0") => {
  const update = signed(updateTo(tool, { version }), release);
  expect(await judge([update], [keptOf(tool)], { version: running, floor })).toBe("taken");
});

test("41: a program of a publisher may go back: its host keeps no list of what it had", async () => {
  const earlier = signed(replaceWith(tool, { version: "0.0.1" }), acme);
  expect(await judge([earlier], [keptOf(tool)], { version: "9.0.0" })).toBe("taken");
});

test("each step is asked of every operation before the next one is", async () => {
  const forged = { ...goodReplace, signature: { ...goodReplace.signature, keyId: "0".repeat(32) } };
  const missing = signed(replaceWith(armTool), acme);
  expect(await judge([forged, missing], [keptOf(tool)]), "39 before 40").toBe("artifact.missing");
  const foreign = signed(replaceWith(armTool), acme);
  expect(await judge([foreign, forged], [keptOf(tool), keptOf(armTool)]), "signatures first").toBe(
    "artifact.signature",
  );
  const old = signed(updateTo(armTool, { version: "0.1.0" }), release);
  expect(await judge([old], [keptOf(armTool)]), "40 before 41").toBe("artifact.architecture");
});

test("what is signed is the same bytes as in the published vectors", () => {
  const said = {
    version: "1.2.3",
    architecture: "x64",
    sha256: "ab".repeat(32),
    size: 1_234_567,
    signature: { keyId: "0".repeat(32), ed25519: `${"A".repeat(86)}==` },
  } as const;
  const replace = { kind: "binary.replace", path: "/opt/tool", name: "tool", publisher: "acme", ...said } as Operation;
  const digests = [replace, { kind: "agent.update", ...said } as const].map((operation) => {
    const named = artifactOf(operation);
    return named === undefined ? "" : keptOf(artifactMessage(named)).sha256;
  });
  expect(digests).toEqual([
    "85cb08302d5bc11d58f1dce4943e8132279c2a1ef390afa1831780ccb94402d0",
    "d58847d0e8dab8450fe14d2e6f8434ba81c218d8a9df10c737dab0673c8202f2",
  ]);
});

function changedAt(bytes: Uint8Array, at: number, value: number): Uint8Array {
  return bytes.map((byte, place) => (place === at ? value : byte));
}

/** The same signature for whoever does not look whether S is below the order of the group. */
function withOrderAdded(signature: Uint8Array): Uint8Array {
  const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
  const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString("hex")}`) + order;
  return new Uint8Array([
    ...signature.subarray(0, 32),
    ...Buffer.from(scalar.toString(16).padStart(64, "0"), "hex").reverse(),
  ]);
}
