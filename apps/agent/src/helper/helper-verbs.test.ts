import { createHash } from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { firstTrust, trustDigest } from "@gatehouse/approval/verify";
import { byteForm } from "@gatehouse/base";
import {
  ceilingFrame,
  decodeBase64url,
  encodeBase64url,
  enrolRequestFrame,
  readChannelKey,
  readFacts,
} from "@gatehouse/channel";
import { importPrivateKey, isSignedBy, loadPublicKey, nodeIdOf, publicKeyBytes } from "@gatehouse/keys";
import { splitSigned } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { makeApproverKey } from "../../test/approver-keys.ts";
import { startHelper } from "../../test/helper-process.ts";
import { lineServer, makeLine } from "../../test/head-line.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { markerMs, removeEnrolMarker, setEnrolMarker } from "../local/enrol-marker.ts";
import { findHostIdentity, makeHostIdentity } from "../local/host-key.ts";
import { nextPlace } from "../local/next-place.ts";
import { putPinnedServer } from "../local/server-file.ts";
import { putTrust } from "../trust/put-trust.ts";
import { headsPerMinute } from "./sliding-minute.ts";

const keyOf = (seed: number) => publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(seed)));
const text = (bytes: Uint8Array) => encodeBase64url(bytes);
const bytes = (value: unknown) => decodeBase64url(String(value)) as Uint8Array;
const day = 24 * 60 * 60_000;

async function startEnrolled() {
  const host = makeHostDirectory();
  const identity = await makeHostIdentity(host);
  return { host, identity, hostKey: loadPublicKey(identity.publicKey, "H"), ...(await startHelper(host)) };
}

const enrolment = {
  server: text(keyOf(5)),
  codeId: text(new Uint8Array(16).fill(2)),
  nonce: text(new Uint8Array(32).fill(3)),
  channelKey: text(keyOf(6)),
  body: { agentVersion: "0.1.7", hostname: "web-1" },
};

test("the host key is root's alone, is found again, and its hash is the node's id", async () => {
  const { host, identity, ask } = await startEnrolled();
  expect(statSync(host.paths.hostKey).mode & 0o777).toBe(0o600);
  expect(findHostIdentity(host)?.nodeId).toBe(nodeIdOf(identity.publicKey));
  expect(await ask("identity")).toEqual({
    nodeId: nodeIdOf(identity.publicKey),
    hostKey: text(identity.publicKey),
    bound: true,
  });
});

test("without a host key every verb says that the host is not enrolled", async () => {
  const { ask } = await startHelper(makeHostDirectory());
  for (const verb of ["identity", "ceiling", "status"] as const) {
    await expect(ask(verb)).rejects.toThrow(/^host\.not_enrolled/);
  }
});

test("a host key that others could have written or read is not used", async () => {
  const { host, ask } = await startEnrolled();
  chmodSync(host.paths.hostKey, 0o640);
  await expect(ask("identity")).rejects.toThrow(/^agent\.file_unusable/);
  chmodSync(host.paths.hostKey, 0o600);
  writeFileSync(host.paths.hostKey, readFileSync(host.paths.hostKey, "utf8").replace("}", ',"more":1}'));
  await expect(ask("identity")).rejects.toThrow(/^agent\.file_unusable/);
});

test("on a copied disk nothing is signed and nothing told, but that it is a copy", async () => {
  const { host, ask, clock } = await startEnrolled();
  await putPinnedServer(nextPlace(host), { url: "https://gh.example", key: keyOf(5) });
  await setEnrolMarker(host, clock.now());
  host.setMachine("b");
  expect(await ask("identity")).toMatchObject({ bound: false });
  await expect(ask("ceiling")).rejects.toThrow(/^identity\.cloned/);
  await expect(ask("status")).rejects.toThrow(/^identity\.cloned/);
  await expect(ask("enrol.sign", enrolment)).rejects.toThrow(/^identity\.cloned/);
  await expect(ask("channel.sign", { channelKey: text(keyOf(6)) })).rejects.toThrow(/^identity\.cloned/);
});

test("the ceiling is told as it holds, with the digest that the facts carry", async () => {
  const { ask } = await startEnrolled();
  const told = await ask("ceiling");
  expect(bytes(told["bytes"])).toEqual(byteForm({ level: "monitor" }));
  const digest = createHash("sha256")
    .update(ceilingFrame({ level: "monitor" }))
    .digest("hex");
  expect(told["digest"]).toBe(digest);
});

test("facts are signed by the host key, name the very program, and their number grows over restarts", async () => {
  const first = await startEnrolled();
  const read = (told: Record<string, unknown>) => {
    const parts = splitSigned(bytes(told["signed"]), [64]);
    if (parts === undefined) throw new Error("no signed message");
    expect(isSignedBy(first.hostKey, parts.framed, parts.signatures[0])).toBe(true);
    return readFacts(parts.framed);
  };
  const one = await first.ask("status");
  const program = readFileSync(new URL("../../test/helper-process.ts", import.meta.url));
  expect(read(one)).toMatchObject({
    nodeId: first.identity.nodeId,
    number: 1,
    at: first.clock.now(),
    facts: {
      agentSha256: createHash("sha256").update(program).digest("hex"),
      agentVersion: "0.1.7",
      mode: "monitor",
      os: "Debian GNU/Linux 13 (trixie)",
    },
  });
  expect(one["addresses"]).toEqual(["192.0.2.1"]);
  expect(await first.ask("status"), "asking again costs nothing").toEqual(one);
  first.clock.advance(60_000);
  expect(read(await first.ask("status"))?.number).toBe(2);
  first.served.close();
  await first.served.done;
  const second = await startHelper(first.host, { readCeiling: () => ({ level: "managed" }) });
  expect(read(await second.ask("status"))).toMatchObject({ number: 3, facts: { mode: "managed" } });
});

test("facts name the trust file, anew when it is another one; one that is not believed is none, and said once", async () => {
  const { host, ask, lines } = await startEnrolled();
  const told = async () => {
    const parts = splitSigned(bytes((await ask("status"))["signed"]), [64]);
    return Buffer.from((parts && readFacts(parts.framed))?.trustDigest ?? [1]).toString("hex");
  };
  expect(await told()).toBe("");
  for (const seed of [1, 2]) {
    const trust = firstTrust([{ name: "ada", keys: [{ blob: makeApproverKey(seed).blob }] }]);
    await putTrust(host, trust);
    expect(await told()).toBe(trustDigest(trust));
  }
  expect(lines).toEqual([]);
  chmodSync(host.paths.trust, 0o666);
  expect([await told(), await told()]).toEqual(["", ""]);
  expect(lines).toEqual([expect.stringMatching(/^the trust file is not believed: .*0666/)]);
  chmodSync(host.paths.trust, 0o644);
  expect(await told()).toMatch(/^[0-9a-f]{64}$/);
  chmodSync(host.paths.trust, 0o666);
  await told();
  expect(lines).toHaveLength(2);
});

test("no enrolment is signed that root has not begun, or has begun long ago", async () => {
  const { host, ask, clock } = await startEnrolled();
  await putPinnedServer(nextPlace(host), { url: "https://gh.example", key: keyOf(5) });
  await expect(ask("enrol.sign", enrolment)).rejects.toThrow(/^enrol\.marker/);
  await setEnrolMarker(host, clock.now() + 1);
  await expect(ask("enrol.sign", enrolment)).rejects.toThrow(/^enrol\.marker/);
  await setEnrolMarker(host, clock.now());
  clock.advance(markerMs);
  await ask("enrol.sign", enrolment);
  clock.advance(1);
  await expect(ask("enrol.sign", enrolment)).rejects.toThrow(/^enrol\.marker/);
  await setEnrolMarker(host, clock.now());
  await removeEnrolMarker(host);
  await expect(ask("enrol.sign", enrolment)).rejects.toThrow(/^enrol\.marker/);
});

test("during an enrolment only the server that root was given is signed for", async () => {
  const { host, ask, clock, identity, hostKey } = await startEnrolled();
  await setEnrolMarker(host, clock.now());
  await expect(ask("enrol.sign", enrolment)).rejects.toThrow(/^enrol\.server_key/);
  await putPinnedServer(nextPlace(host), { url: "https://gh.example", key: keyOf(5) });
  await expect(ask("enrol.sign", { ...enrolment, server: text(keyOf(7)) })).rejects.toThrow(/^enrol\.server_key/);
  const told = await ask("enrol.sign", enrolment);
  const framed = enrolRequestFrame({
    version: 1,
    server: keyOf(5),
    codeId: new Uint8Array(16).fill(2),
    nonce: new Uint8Array(32).fill(3),
    hostKey: identity.publicKey,
    channelKey: keyOf(6),
    body: enrolment.body,
  });
  expect(isSignedBy(hostKey, framed, bytes(told["signature"]))).toBe(true);
});

test("a channel key for which anybody could sign is refused", async () => {
  const { host, ask, clock } = await startEnrolled();
  await putPinnedServer(nextPlace(host), { url: "https://gh.example", key: keyOf(5) });
  await setEnrolMarker(host, clock.now());
  const weak = text(new Uint8Array(32).fill(0, 1).fill(1, 0, 1));
  await expect(ask("enrol.sign", { ...enrolment, channelKey: weak })).rejects.toThrow(/^key\.weak/);
  await expect(ask("channel.sign", { channelKey: weak })).rejects.toThrow(/^key\.weak/);
  await expect(ask("channel.sign", { channelKey: "AAAA" })).rejects.toThrow(/^local\.frame/);
});

test("one channel key a day is signed, also after a restart; the same one again is the same message", async () => {
  const { host, ask, clock, hostKey, identity, served } = await startEnrolled();
  const first = await ask("channel.sign", { channelKey: text(keyOf(6)) });
  const parts = splitSigned(bytes(first["signed"]), [64]);
  if (parts === undefined) throw new Error("no signed message");
  expect(isSignedBy(hostKey, parts.framed, parts.signatures[0])).toBe(true);
  expect(readChannelKey(parts.framed)).toMatchObject({ nodeId: identity.nodeId, at: clock.now() });
  clock.advance(day - 1);
  expect(await ask("channel.sign", { channelKey: text(keyOf(6)) })).toEqual(first);
  await expect(ask("channel.sign", { channelKey: text(keyOf(7)) })).rejects.toThrow(/^local\.limit/);
  served.close();
  await served.done;
  const again = await startHelper(host);
  await expect(again.ask("channel.sign", { channelKey: text(keyOf(7)) })).rejects.toThrow(/^local\.limit/);
  again.clock.advance(day);
  expect(await again.ask("channel.sign", { channelKey: text(keyOf(7)) })).toHaveProperty("signed");
});

test("a helper that is not there is named, with its socket", async () => {
  const { host, ask, served } = await startEnrolled();
  served.close();
  await served.done;
  await expect(ask("identity")).rejects.toThrow(new RegExp(`^local\\.unavailable: ${host.paths.helperSocket}`));
});

test("a head that is shown is judged and kept, and what is none of a head is one that nobody signed", async () => {
  const { host, ask } = await startEnrolled();
  await putPinnedServer(host, { url: "https://gh.example", key: lineServer });
  const [first, second] = makeLine(2);
  expect(await ask("head.get")).toMatchObject({ held: null, code: null });
  expect(await ask("head.put", { signed: first?.text ?? "" })).toMatchObject({ state: "taken", held: { n: 1 } });
  expect(await ask("head.put", { signed: "AAAA" })).toMatchObject({ state: "refused", code: "witness.signature" });
  expect(await ask("head.put", { signed: "AB" })).toMatchObject({ state: "refused", code: "witness.signature" });
  const far = makeLine(9).at(-1)?.text ?? "";
  expect(await ask("head.put", { signed: far, from: 2, rows: "AAAA" })).toMatchObject({ code: "witness.gap" });
  expect(await ask("head.put", { signed: second?.text ?? "" })).toMatchObject({ state: "taken", code: null });
  expect(await ask("head.get")).toMatchObject({ held: { n: 2, position: 20 }, code: null });
});

test("so many heads are taken in a minute, and no more", async () => {
  const { host, ask } = await startEnrolled();
  await putPinnedServer(host, { url: "https://gh.example", key: lineServer });
  const signed = makeLine(1)[0]?.text ?? "";
  for (let n = 0; n < headsPerMinute; n += 1) await ask("head.put", { signed });
  await expect(ask("head.put", { signed })).rejects.toThrow(/^local\.limit/);
});
