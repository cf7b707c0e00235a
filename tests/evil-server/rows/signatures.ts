import { writeArmor, writeContainer } from "@gatehouse/approval";
import { joinBytes, readSshStrings, sshString } from "../../../packages/approval/src/ssh-wire.ts";
import { signedBy } from "../../../packages/approval/src/verify/approval-cases.ts";
import {
  type MadeKey,
  makeSshSig,
  type SigParts,
  sshInteger,
  wrapInner,
} from "../../../packages/approval/src/verify/ssh-key-cases.ts";
import type { MadePlan } from "../../support/signed-task.ts";
import { approvers, trustOf } from "./approvers.ts";
import type { Found } from "./found.ts";
import { approvalFor, planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import type { RowHost } from "./row-host.ts";
import { withApprovals } from "./statements.ts";
import { withReason } from "./with-reason.ts";

const { ada, adaToken, bob, cleo, stranger } = approvers;

/** The right statement of this key, under a signature that is made of the good one. */
const under =
  (key: MadeKey, spoil: (good: Uint8Array, statement: Uint8Array) => Uint8Array) => (host: RowHost, plan: MadePlan) => {
    const { statement, ssh } = signedBy(key, approvalFor(host, plan));
    return writeContainer([{ statement, ssh: spoil(ssh, statement) }]);
  };

const otherwise = (key: MadeKey, parts: SigParts) => under(key, (_, statement) => makeSshSig(key, statement, parts));

const tried = (ground: RowGround, ...makes: readonly ReturnType<typeof under>[]): Promise<Found[]> =>
  withApprovals(ground, {}, ...makes);

/** The parts of the good signature, put together by hand. */
function outer(good: Uint8Array, version: number, change: (parts: (string | Uint8Array)[]) => void): Uint8Array {
  const parts: (string | Uint8Array)[] = [...(readSshStrings(good.subarray(10), 5)?.strings ?? [])];
  change(parts);
  return joinBytes(Buffer.from("SSHSIG"), Uint8Array.of(0, 0, 0, version), ...parts.map((part) => sshString(part)));
}

const ecdsaInner = (...numbers: readonly Uint8Array[]) =>
  wrapInner(bob.blob, joinBytes(sshString(bob.type), sshString(joinBytes(...numbers))));
const number = Uint8Array.from({ length: 32 }, () => 1);

const order25519 = 2n ** 252n + 27742317777372353535851937790883648493n;
const orderP256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The inner signature of a good one. */
function valueIn(good: Uint8Array): Uint8Array {
  const inner = readSshStrings(good.subarray(10), 5)?.strings[4] ?? new Uint8Array();
  return readSshStrings(inner, 2)?.strings[1] ?? new Uint8Array();
}

/** Ed25519 has a second half of the same meaning: larger by the order. */
function largerHalf(good: Uint8Array): Uint8Array {
  const signature = valueIn(good);
  const half = BigInt(`0x${signature.slice(32).toReversed().toHex()}`) + order25519;
  const twin = Uint8Array.fromHex(half.toString(16).padStart(64, "0")).toReversed();
  return wrapInner(ada.blob, joinBytes(sshString(ada.type), sshString(joinBytes(signature.subarray(0, 32), twin))));
}

/** ECDSA has a second signature that everybody can make from the first. */
export function ecdsaTwin(good: Uint8Array): Uint8Array {
  const [r = number, s = number] = readSshStrings(valueIn(good), 2)?.strings ?? [];
  const other = (orderP256 - BigInt(`0x${s.toHex()}`)).toString(16).padStart(64, "0");
  return ecdsaInner(sshString(r), sshInteger(Uint8Array.fromHex(other)));
}

const rsa = joinBytes(sshString("ssh-rsa"), sshString(Uint8Array.of(1)), sshString(new Uint8Array(256).fill(1)));
const p384 = joinBytes(sshString("ecdsa-sha2-nistp384"), sshString("nistp384"), sshString(new Uint8Array(97).fill(4)));
const certificate = joinBytes(sshString("ssh-ed25519-cert-v01@openssh.com"), sshString(new Uint8Array(32)));

export const signatures: RowFamily = {
  name: "signature formats",
  control: {
    does: "a good signature of each type of key, with either hash",
    expects: "applied",
    mayChange: usualChange,
    attack: (ground) =>
      tried(
        ground,
        ...[ada, adaToken, bob, cleo].map((key) => under(key, (good) => good)),
        otherwise(ada, { hash: "sha256" }),
      ),
  },
  rows: [
    {
      row: 85,
      does: "signatures of a pinned key for other purposes",
      expects: "signature.namespace",
      attack: (ground) =>
        tried(
          ground,
          ...["git", "file", "gatehouse-approve@v2", "", "gatehouse-approve@v1 "].map((namespace) =>
            otherwise(ada, { namespace }),
          ),
        ),
    },
    {
      row: 86,
      does: "version 2, reserved bytes, sha1",
      expects: "signature.format",
      attack: (ground) =>
        tried(
          ground,
          under(ada, (good) => outer(good, 2, () => undefined)),
          under(ada, (good) => outer(good, 1, (parts) => void (parts[2] = "x"))),
          under(ada, (good) => outer(good, 1, (parts) => void (parts[3] = "sha1"))),
        ),
    },
    {
      row: 87,
      does: "a byte behind, a byte less, an armor, two signatures",
      expects: "signature.format",
      attack: (ground) =>
        tried(
          ground,
          under(ada, (good) => joinBytes(good, Uint8Array.of(0))),
          under(ada, (good) => good.subarray(0, -1)),
          under(ada, (good) => Buffer.from(writeArmor(good))),
          under(ada, (good) => joinBytes(good, good)),
          under(ada, () => new Uint8Array()),
        ),
    },
    {
      row: 88,
      does: "an ECDSA signature under an Ed25519 key",
      expects: "signature.format",
      attack: (ground) =>
        tried(
          ground,
          under(ada, () => wrapInner(ada.blob, joinBytes(sshString(bob.type), sshString(new Uint8Array(64))))),
          under(ada, () => wrapInner(ada.blob, joinBytes(sshString(ada.type), sshString(new Uint8Array(63))))),
        ),
    },
    {
      row: 89,
      does: "a signature of an SSH login",
      expects: "signature.format",
      attack: (ground) =>
        tried(
          ground,
          under(ada, (good) => joinBytes(sshString(ada.type), sshString(valueIn(good)))),
        ),
    },
    {
      row: 90,
      does: "ssh-rsa, P-384 and certificates in the trust file",
      expects: ["trust.unsound", "key.type", "trust.unsound", "key.type", "trust.unsound", "key.type"],
      attack: async ({ open }) => {
        const found: Found[] = [];
        for (const blob of [rsa, p384, certificate]) {
          const host = await open({ trust: trustOf([blob]) });
          found.push(...withReason(await host.change(taskOf(host, await planFor(host)))));
        }
        return found;
      },
    },
    {
      row: 91,
      does: "a stranger's signature that names a pinned key",
      expects: "signature.invalid",
      attack: (ground) =>
        tried(
          ground,
          under(ada, (_, statement) => makeSshSig(stranger, statement, { signer: ada.blob })),
          under(ada, (good, statement) => makeSshSig(ada, Buffer.concat([statement, good]))),
        ),
    },
    {
      row: 92,
      does: "a security key that nobody touched",
      expects: "signature.presence",
      attack: (ground) =>
        tried(ground, ...[0, 4].flatMap((flags) => [otherwise(adaToken, { flags }), otherwise(cleo, { flags })])),
    },
    {
      row: 93,
      does: "a security key that did not ask for its PIN",
      expects: "signature.presence",
      attack: (ground) => tried(ground, otherwise(adaToken, { flags: 1 }), otherwise(cleo, { flags: 1 })),
    },
    {
      row: 94,
      does: "a security key that was made for something else",
      expects: "signature.key_unknown",
      attack: (ground) =>
        tried(
          ground,
          otherwise(adaToken, { signer: joinBytes(adaToken.blob.subarray(0, -8), sshString("ssh:x")) }),
          otherwise(ada, { signer: rsa }),
        ),
    },
    {
      row: 96,
      does: "r or s zero, negative, overlong, above the order",
      expects: [...Array.from({ length: 5 }, () => "signature.format"), "signature.invalid"],
      attack: (ground) => {
        const above = sshInteger(new Uint8Array(32).fill(255));
        return tried(
          ground,
          ...[
            ecdsaInner(sshString(""), sshInteger(number)),
            ecdsaInner(sshInteger(number), sshString("")),
            ecdsaInner(sshString(Uint8Array.of(0x80)), sshInteger(number)),
            ecdsaInner(sshString(joinBytes(Uint8Array.of(0), number)), sshInteger(number)),
            ecdsaInner(sshString(joinBytes(Uint8Array.of(1), number)), sshInteger(number)),
            ecdsaInner(above, above),
          ].map((evil) => under(bob, () => evil)),
        );
      },
    },
    {
      row: 97,
      does: "an Ed25519 signature with the order added to its second half",
      expects: "signature.invalid",
      attack: (ground) => tried(ground, under(ada, largerHalf)),
    },
  ],
};
