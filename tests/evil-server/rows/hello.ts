import { createHash } from "node:crypto";
import { channelLimits, challengeFrame, serverHelloFrame } from "@gatehouse/channel";
import { importPrivateKey, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import type { Flaw } from "../../lab/authority.ts";
import { serverName } from "../../lab/managed-host.ts";
import type { EvilCase, EvilGround, Message } from "../evil-case.ts";
import { serverPublicKey } from "../stolen-server.ts";
import type { AttackedMachine } from "./attacked-machine.ts";
import type { Found } from "./found.ts";
import { inTurn } from "./in-turn.ts";
import { planFor, taskOf, usualChange } from "./made-task.ts";
import { withEnvironment } from "./manager-environment.ts";
import type { RowFamily, RowGround } from "./row.ts";
import type { HostWish } from "./row-host.ts";

const otherKey = importPrivateKey(new Uint8Array(32).fill(9));
const usual = { versions: { min: 1, max: 1 }, server: serverPublicKey, nonce: new Uint8Array(32).fill(7), at: 1 };
const body = { acked: 0, beatSeconds: 10, windowSeconds: 20, head: null, serverTime: 0 };

function first(name: string, ...messages: readonly Message[]): EvilCase {
  return { name, stage: "first", make: () => messages };
}

function between(name: string, make: (ground: EvilGround) => readonly Message[]): EvilCase {
  return { name, stage: "between", make };
}

/** A welcome to these bytes, by the server's own key. */
function welcomeTo({ sign }: EvilGround, hello: Uint8Array, more: object = {}): Uint8Array {
  return sign(serverHelloFrame(createHash("sha256").update(hello).digest(), { ...body, ...more }));
}

const all = (ground: RowGround, cases: readonly EvilCase[]): Promise<Found[]> =>
  inTurn(cases, (evil) => ground.connect(evil));

/** One connection to a server that is found otherwise than it was. */
const toward = ({ connect }: RowGround, before: HostWish["before"] & {}): Promise<Found> =>
  connect({ name: "nothing evil", stage: "open", make: () => [] }, { before });

/** The server shows a certificate that nobody should believe. */
const showing =
  (flaw: Flaw) =>
  ({ server: stolen, authority, undo }: AttackedMachine): void => {
    undo.push(() => stolen.show(authority.issue(serverName)));
    stolen.show(authority.issue(serverName, flaw));
  };

const server = "apps/server/test/control.test.ts";

export const hello: RowFamily = {
  name: "hello",
  control: {
    does: "an honest hello, and then a goodbye; and one behind which a change comes that Ada has approved",
    expects: ["bye", "applied"],
    mayChange: usualChange,
    attack: async ({ connect, open }) => {
      const ended = await connect({ name: "nothing evil", stage: "open", make: () => [] });
      const host = await open();
      return [ended, await host.carry(taskOf(host, await planFor(host)))];
    },
  },
  rows: [
    {
      row: 18,
      does: "a challenge with another key",
      expects: "hello.server_key",
      attack: ({ connect }) =>
        connect(first("another key", challengeFrame({ ...usual, server: publicKeyBytes(otherKey) }))),
    },
    {
      row: 19,
      does: "the right key in the challenge, and a welcome signed by another",
      expects: "hello.server_signature",
      attack: ({ connect }) =>
        connect(
          between("cannot sign", ({ hello: sent }) => {
            const framed = serverHelloFrame(createHash("sha256").update(sent).digest(), body);
            return [joinSigned(framed, signBytes(otherKey, framed))];
          }),
        ),
    },
    {
      row: 20,
      does: "a recorded challenge and the welcome that belonged to it",
      expects: "hello.server_signature",
      attack: ({ connect }) =>
        connect(between("a recorded welcome", (ground) => [welcomeTo(ground, new Uint8Array(300).fill(1))])),
    },
    {
      row: 21,
      does: "a recorded hello of an agent, played to the server",
      by: server,
      name: "that was recorded is worth nothing to another connection",
    },
    {
      row: 22,
      does: "a lower highest version in the challenge",
      by: server,
      name: "%s is refused as %s",
      of: "to versions that somebody lowered on the way",
    },
    {
      row: 23,
      does: "versions that the agent does not have",
      expects: "hello.version",
      attack: (ground) =>
        all(
          ground,
          [
            { min: 2, max: 9 },
            { min: 0, max: 0 },
            { min: 65_535, max: 65_535 },
          ].map((versions) => first("other versions", challengeFrame({ ...usual, versions }))),
        ),
    },
    {
      row: 25,
      does: "the welcome that is meant for another node",
      expects: "hello.server_signature",
      attack: ({ connect }) =>
        connect(
          between("another's welcome", (ground) => {
            const others = Buffer.from(ground.hello);
            others[others.byteLength - 1] = (others.at(-1) ?? 0) ^ 1;
            return [welcomeTo(ground, others)];
          }),
        ),
    },
    {
      row: 26,
      does: "307 to another host",
      expects: "hello.redirect",
      attack: (ground) => toward(ground, ({ server }) => void (server.manner = "elsewhere")),
    },
    {
      row: 27,
      does: "a certificate of a stranger, of another name, or that is over",
      expects: "hello.tls",
      attack: (ground) =>
        inTurn(["stranger", "other-name", "expired"] as const, (flaw) => toward(ground, showing(flaw))),
    },
    {
      row: 28,
      does: "NODE_TLS_REJECT_UNAUTHORIZED in the manager's environment, and a stranger's certificate",
      expects: "hello.tls",
      attack: (ground) =>
        toward(ground, async (machine) => {
          await withEnvironment({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })(machine);
          showing("stranger")(machine);
        }),
    },
    {
      row: 29,
      does: "an extension of the connection",
      by: "apps/agent/src/control/hostile-hello.test.ts",
      name: "an extension is no part of the protocol",
    },
    {
      row: 31,
      does: "silence after the challenge",
      expects: "hello.timeout",
      attack: (ground) => toward(ground, ({ server }) => void (server.manner = "stalling")),
    },
    {
      row: 30,
      does: "a text, a task or a second challenge before the welcome",
      expects: ["frame.illegal_now", "frame.illegal_now", "hello.order", "hello.order"],
      attack: (ground) =>
        all(ground, [
          first("a text", '{"t":"beat-ack","seq":1}'),
          between("a task", () => ['{"t":"task"}']),
          between("a second challenge", ({ challenge }) => [challenge]),
          { name: "a welcome first", stage: "first", make: (around) => [welcomeTo(around, new Uint8Array(10))] },
        ]),
    },
    {
      row: 32,
      does: "a beat of 0, a window of 10^9, a field more, a message too large",
      expects: "hello.malformed",
      attack: (ground) =>
        all(ground, [
          ...[{ beatSeconds: 0 }, { windowSeconds: 10 ** 9 }, { ceiling: {} }, { acked: 2 ** 40 }].map((odd) =>
            between(Object.keys(odd).join(), (around) => [welcomeTo(around, around.hello, odd)]),
          ),
          first("more than a message of the hello", new Uint8Array(channelLimits.helloBytes + 1)),
          first("rubbish", new Uint8Array(100)),
        ]),
    },
    {
      row: 33,
      does: "a time ten years ahead",
      expects: "closed",
      attack: ({ connect }) =>
        connect(
          between("ten years ahead", (ground) => [
            welcomeTo(ground, ground.hello, { serverTime: Date.now() + 10 * 365 * 86_400_000 }),
          ]),
        ),
    },
    {
      row: 34,
      does: "a hello with another node's id",
      by: server,
      name: "%s is refused as %s",
      of: "in the name of another node",
    },
    {
      row: 35,
      does: "a node that goes on after its revocation",
      by: server,
      name: "ends before the revocation of its node is answered, and its identity is refused from then on",
    },
    {
      row: 36,
      does: "an old channel key from a backup",
      by: "tests/security/13-host-token.test.ts",
      name: "an agent changes its key by itself, and a thief of the old one is refused from then on",
    },
  ],
};
