import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { decodeBase64url, encodeBase64url, readStateAnswer, type SubjectState } from "@gatehouse/channel";
import type { Plan, PlanSectionView } from "@gatehouse/contract/routes";
import { isSignedBy, loadPublicKey, nodeIdOf } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import {
  fileState,
  firewallState,
  parsePlan,
  planDigest,
  serviceState,
  sshSubject,
  stateDigest,
} from "@gatehouse/plan";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "../acceptance/plugin-yard.ts";
import { FleetDesk, fleetSettings } from "./fleet-desk.ts";
import { askHelperOn } from "./helper-peer.ts";
import type { Front } from "./front.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";
import { serverAddress } from "./wire.ts";

/** What the helper of a real host tells of it, inside of its unit, to whoever has no more rights than the network part. */
let lab: Lab<"alpha"> | undefined;
let alpha: ManagedHost;
let front: Front;
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
  ({ front } = lab);
  ({ alpha } = lab.hosts);
  const desk = new FleetDesk(front);
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

test("the server makes a plan from what the host signed, and one that would shut out who is connected stays a draft", async () => {
  const owner = await signIn(front.server);
  const socket = connect({ host: alpha.address, port: 22 });
  await once(socket, "data");
  const ask = async (operations: readonly object[]) => {
    const wanted = { title: "Lab", summary: "On a real host.", operations, nodes: [nodeId], review: true };
    const { json, status, text } = await owner.post("/api/plans", wanted);
    expect(status, text).toBe(201);
    return json as Plan;
  };
  const written = {
    kind: "file.write",
    path: "/etc/lab/open",
    text: "new\n",
    mode: "0644",
    owner: "root",
    group: "root",
  };
  const plan = await ask([written, { kind: "service.restart", unit: "nftables.service" }]);
  const { text } = await owner.get(`/api/plans/${plan.id}/document`);
  const read = parsePlan(Buffer.from(text));
  if (!read.ok) throw new Error(read.reason);
  expect(planDigest(sha256, read.value)).toBe(plan.digest);
  const states = await statesOf([subjects.open, subjects.service]);
  expect(read.value.sections[0]?.preconditions).toEqual(
    [...states].map(([subject, state]) => ({ subject, state: stateDigest(sha256, subject, state ?? {}) })),
  );
  expect(plan).toMatchObject({ state: "in_review", nodes: 1 });
  const closed = { kind: "firewall.apply", table: "gatehouse_lab", input: { policy: "drop", rules: [] } };
  const cutting = await ask([closed]);
  socket.destroy();
  expect(cutting.state).toBe("draft");
  const { json } = await owner.get(`/api/plans/${cutting.id}/sections`);
  const [section] = json["items"] as PlanSectionView[];
  const packets = section?.findings.map(({ packet }) => packet);
  expect(packets).toContain(`tcp from ${serverAddress} to port 22 (new connection)`);
  // What is there now is shown as nft has it, and all of it would go.
  const gone = section?.operations[0]?.diff.filter(({ mark }) => mark === "removed").map((line) => line.text.trim());
  expect(gone?.join("\n")).toMatch(/dport \{ 80, 443 \}.*accept comment "web"/);
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
  const parts = { header: part, digests: { ...part, size: 32 }, section: part, approvals: part, artifacts: [] };
  const task = { task: `task_${"0".repeat(26)}`, planDigest: "0".repeat(64), index: 0, parts };
  expect(await askHelperOn(alpha, "task.submit", task)).toMatchObject({ ok: false, code: "ceiling.off" });
});
