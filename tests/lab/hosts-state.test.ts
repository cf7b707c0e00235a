import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { decodeBase64url, encodeBase64url, readStateAnswer, type SubjectState } from "@gatehouse/channel";
import { isSignedBy, loadPublicKey, nodeIdOf } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { fileState, firewallState, serviceState, sshSubject, stateDigest } from "@gatehouse/plan";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FleetDesk, fleetSettings } from "./fleet-desk.ts";
import { askHelperOn } from "./helper-peer.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";
import { serverAddress } from "./wire.ts";

/** What the helper of a real host tells of it, inside of its unit, to whoever has no more rights than the network part. */
let lab: Lab<"alpha"> | undefined;
let alpha: ManagedHost;
let nodeId: string;

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const table = `table inet gatehouse_lab {
  chain input {
    type filter hook input priority filter; policy accept;
    ct state established,related accept
    ip saddr { 10.0.0.0/8, 192.168.0.0/16 } tcp dport { 80, 443 } counter accept comment "web"
  }
}
`;
const subjects = {
  firewall: "firewall:gatehouse_lab",
  open: "file:/etc/lab/open",
  secret: "file:/etc/lab/secret",
  none: "file:/etc/lab/none",
  service: "service:nftables.service",
} as const;

beforeAll(async () => {
  lab = await openLab(["alpha"], fleetSettings);
  ({ alpha } = lab.hosts);
  const desk = new FleetDesk(lab.front);
  await alpha.shell(await desk.line());
  nodeId = (await desk.online(alpha)).id;
  await alpha.write("/etc/nftables.conf", table);
  await alpha.write("/etc/lab/open", "open\n");
  await alpha.write("/etc/lab/secret", "secret\n", "600");
  const allowed = ["firewall.apply:gatehouse_lab", "file.write:/etc/lab", "service.restart:nftables.service"];
  const entries = allowed.map((entry) => `--allow ${entry}`).join(" ");
  await alpha.shell(`systemctl enable --now nftables.service && gatehouse-agent ceiling set managed ${entries}`);
});
afterAll(() => lab?.close());

/** A question to the helper: what the host has signed for it. */
async function statesOf(asked: readonly string[]): Promise<ReadonlyMap<string, SubjectState["state"]>> {
  const request = randomBytes(32);
  const answer = await askHelperOn(alpha, "state.read", { request: encodeBase64url(request), subjects: asked });
  expect(answer).toMatchObject({ ok: true });
  const read = readSigned(decodeBase64url(answer["signed"] as string), [64], readStateAnswer);
  if (read === undefined) throw new Error("the answer is no signed message");
  expect(isSignedBy(loadPublicKey(read.value.hostKey, "H"), read.framed, read.signatures[0])).toBe(true);
  expect([nodeIdOf(read.value.hostKey), read.value.nodeId]).toEqual([nodeId, nodeId]);
  expect(Buffer.from(read.value.request)).toEqual(request);
  return new Map(read.value.states.map(({ subject, state }) => [subject, state]));
}

/** The digests that preconditions would carry. */
async function digestsNow(): Promise<Readonly<Record<string, string>>> {
  const states = await statesOf(Object.values(subjects));
  return Object.fromEntries(
    [...states].map(([subject, state]) => [subject, state === null ? "absent" : stateDigest(sha256, subject, state)]),
  );
}

test("a managed host tells of its firewall, its files and its services, and who is connected by SSH", async () => {
  const socket = connect({ host: alpha.address, port: 22 });
  // The greeting comes when the other end has taken the connection.
  await once(socket, "data");
  const states = await statesOf([...Object.values(subjects), sshSubject]);
  socket.destroy();
  expect(firewallState.parse(states.get(subjects.firewall)).nftables).toHaveLength(4);
  expect(fileState.parse(states.get(subjects.open))).toEqual({
    sha256: createHash("sha256").update("open\n").digest("hex"),
    mode: "0644",
    owner: "root",
    group: "root",
  });
  expect(fileState.parse(states.get(subjects.secret))).toEqual({
    hmac: expect.not.stringContaining(createHash("sha256").update("secret\n").digest("hex")),
    mode: "0600",
    owner: "root",
    group: "root",
  });
  expect(states.get(subjects.none)).toBeNull();
  const unit = await alpha.shell("sha256sum /usr/lib/systemd/system/nftables.service");
  expect(serviceState.parse(states.get(subjects.service))).toEqual({
    fragmentSha256: unit.slice(0, 64),
    enabled: "enabled",
  });
  expect(states.get(sshSubject)).toEqual({ ports: [22], peers: [serverAddress] });
});

test("a reload, a file written as it was, and a restart of the host change no digest; an edit changes each", async () => {
  const before = await digestsNow();
  await alpha.shell("nft delete table inet gatehouse_lab && nft -f /etc/nftables.conf");
  await alpha.write("/etc/lab/open", "open\n");
  expect(await digestsNow()).toEqual(before);
  await alpha.restart();
  expect(await digestsNow()).toEqual(before);
  await alpha.shell("nft add rule inet gatehouse_lab input tcp dport 8080 accept");
  await alpha.shell("echo more >> /etc/lab/open && echo more >> /etc/lab/secret && echo new > /etc/lab/none");
  await alpha.shell("systemctl disable nftables.service");
  const after = await digestsNow();
  for (const [subject, digest] of Object.entries(before)) expect(after[subject], subject).not.toBe(digest);
});

test("nothing outside of the ceiling is told, and no change is taken", async () => {
  const request = encodeBase64url(randomBytes(32));
  for (const subject of ["file:/etc/shadow", "file:/etc/lab-evil", "firewall:gatehouse_other", "service:ssh.service"]) {
    const answer = await askHelperOn(alpha, "state.read", { request, subjects: [subject] });
    expect(answer).toMatchObject({ ok: false, code: "read.ceiling", detail: expect.stringContaining(subject) });
  }
  const part = { sha256: "0".repeat(64), size: 1 };
  const parts = { header: part, digests: part, section: part, approvals: part, artifacts: [] };
  const task = { task: `task_${"0".repeat(26)}`, planDigest: "0".repeat(64), index: 0, parts };
  expect(await askHelperOn(alpha, "task.submit", task)).toMatchObject({ ok: false, code: "ceiling.off" });
});
