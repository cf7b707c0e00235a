import { joinBytes, sshString } from "../../../packages/approval/src/ssh-wire.ts";
import { weakKeys as weak } from "../../support/weak-keys.ts";
import { approvers, trustOf } from "./approvers.ts";
import type { Found } from "./found.ts";
import { planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import { withReason } from "./with-reason.ts";

const { ada, bob } = approvers;

/** A host whose root was given a trust file with these keys: the file is refused as a whole, for this reason. */
async function trusting({ open }: RowGround, ...keys: readonly (readonly Uint8Array[])[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const blobs of keys) {
    const host = await open({ trust: trustOf(blobs) });
    found.push(...withReason(await host.change(taskOf(host, await planFor(host)))));
  }
  return found;
}

const each = (count: number, reason: string) => Array.from({ length: count }, () => ["trust.unsound", reason]).flat();
const ed25519 = (point: Uint8Array) => joinBytes(sshString("ssh-ed25519"), sshString(point));
const token = (point: Uint8Array) =>
  joinBytes(sshString("sk-ssh-ed25519@openssh.com"), sshString(point), sshString("ssh:"));
const p256 = (point: Uint8Array) =>
  joinBytes(sshString("ecdsa-sha2-nistp256"), sshString("nistp256"), sshString(point));

const bobsPoint = bob.blob.subarray(-65);
const offCurve = Uint8Array.from(bobsPoint, (byte, at) => (at === 64 ? byte ^ 1 : byte));
const compressed = Uint8Array.from(bobsPoint.subarray(0, 33), (byte, at) => (at === 0 ? 2 : byte));
const adasPoint = ada.blob.subarray(-32);

export const weakKeys: RowFamily = {
  name: "weak keys",
  control: {
    does: "a trust file with good keys of two types",
    expects: "applied",
    mayChange: usualChange,
    attack: async ({ open }) => {
      const host = await open({ trust: trustOf([ada.blob, bob.blob]) });
      return host.change(taskOf(host, await planFor(host)));
    },
  },
  rows: [
    {
      row: 110,
      does: "the 14 keys that anybody can sign for, as ssh-ed25519 in the trust file",
      expects: each(weak.length, "key.weak"),
      attack: (ground) => trusting(ground, ...weak.map((key) => [ed25519(Uint8Array.fromHex(key))])),
    },
    {
      row: 111,
      does: "the same as keys of a token",
      expects: each(weak.length, "key.weak"),
      attack: (ground) => trusting(ground, ...weak.map((key) => [token(Uint8Array.fromHex(key))])),
    },
    {
      row: 114,
      does: "a host key that anybody can sign for",
      by: "apps/agent/test/weak-keys.test.ts",
      name: "%s is refused: %s",
      of: "a public half in the file of the host key",
    },
    {
      row: 115,
      does: "a channel key that anybody can sign for",
      by: "apps/agent/test/weak-keys.test.ts",
      name: "%s is refused: %s",
      of: "the channel key of enrol.sign",
    },
    {
      row: 116,
      does: "a P-256 point off the curve, and a compressed one",
      expects: each(2, "key.weak"),
      attack: (ground) => trusting(ground, [p256(offCurve)], [p256(compressed)]),
    },
    {
      row: 117,
      does: "one point under two types, to count twice",
      expects: each(2, "trust.form"),
      attack: (ground) => trusting(ground, [ada.blob, token(adasPoint)], [ada.blob, ada.blob]),
    },
  ],
};
