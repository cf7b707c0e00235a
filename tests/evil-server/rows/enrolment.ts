import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeBase64url } from "@gatehouse/channel";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { weakKeys } from "../../support/weak-keys.ts";
import { serverPublicKey } from "../stolen-server.ts";
import { beginWith, spendCode } from "./enrol-answers.ts";
import { codeFor } from "./enrol-server.ts";
import type { Found } from "./found.ts";
import { inTurn } from "./in-turn.ts";
import type { RowFamily, RowGround } from "./row.ts";
import type { HostWish } from "./row-host.ts";

const otherKey = importPrivateKey(new Uint8Array(32).fill(9));
/** Nobody listens there: whoever sends a packet would be refused by another name. */
const nowhere = "http://127.0.0.1:9";

const begun: HostWish = { before: (machine) => beginWith(machine, nowhere) };

/** Root gives a code to the agent. */
const giveCode = ({ command }: RowGround, code: string): Promise<Found> =>
  command(begun, ["enrol-exchange", "--json"], () => `${code}\n`);

const signFields = (server: Uint8Array) => ({
  server: encodeBase64url(server),
  codeId: encodeBase64url(new Uint8Array(16)),
  nonce: encodeBase64url(new Uint8Array(32)),
  channelKey: encodeBase64url(publicKeyBytes(otherKey)),
  body: { agentVersion: "0.1.7", hostname: "web-1" },
});

const server = "apps/server/test/enrolment.test.ts";
const refusedCase = "an enrolment %s is refused as %s, and the code stays good";

export const enrolment: RowFamily = {
  name: "enrolment",
  control: {
    does: "a code of the right server, spent by an honest host; and by root, who installs the agent anew",
    expects: "answered",
    attack: async (ground) => {
      const spent = await spendCode(ground, {});
      const { machine } = await ground.open();
      return [spent, await machine.enrol()];
    },
    mayChange:
      /^\/(etc\/gatehouse\/server\.json|etc\/(systemd|sysusers\.d)\/.*gatehouse.*|usr\/(bin|lib)\/gatehouse.*) was /,
  },
  rows: [
    {
      row: 1,
      does: "an answer that is signed by a key of the answerer's own",
      expects: "enrol.server_signature",
      attack: (ground) => spendCode(ground, { key: otherKey }),
    },
    {
      row: 2,
      does: "other keys in a passing request",
      by: server,
      name: refusedCase,
      of: "with a MAC of another secret",
    },
    {
      row: 3,
      does: "an old answer to a new request",
      expects: "enrol.server_signature",
      attack: (ground) => spendCode(ground, { spoil: (honest) => ({ ...honest, request: new Uint8Array(32) }) }),
    },
    {
      row: 4,
      does: "a code that somebody else has spent first",
      expects: "enrol.code_used",
      attack: (ground) =>
        spendCode(ground, {
          said: { status: 409, body: JSON.stringify({ code: "enrol.code_used", detail: "it was used" }) },
        }),
    },
    {
      row: 5,
      does: "200 uses of one code at once",
      by: server,
      name: "two hundred hosts that use one code at once give one node; the others hear that it was used",
    },
    {
      row: 6,
      does: "a code after its time",
      expects: "enrol.code_expired",
      attack: (ground) => giveCode(ground, codeFor(nowhere, { notAfter: Date.now() - 1 })),
    },
    {
      row: 7,
      does: "a code whose server key is one of the 14 that anybody can sign for",
      expects: "key.weak",
      attack: async (ground) => {
        const found: Found[] = [];
        for (const key of weakKeys) {
          found.push(await giveCode(ground, codeFor(nowhere, { server: Uint8Array.fromHex(key) })));
        }
        return found;
      },
    },
    {
      row: 8,
      does: "a code with an http address of another machine",
      expects: "enrol.url",
      attack: (ground) => giveCode(ground, codeFor("http://gh.example")),
    },
    {
      row: 9,
      does: "another key in a code, under the old checksum",
      expects: "enrol.code_malformed",
      attack: (ground) => {
        const good = codeFor(nowhere);
        const middle = Math.floor(good.length / 2);
        const other = good[middle] === "A" ? "B" : "A";
        return giveCode(ground, `${good.slice(0, middle)}${other}${good.slice(middle + 1)}`);
      },
    },
    {
      row: 11,
      does: "the id of another node in the answer",
      expects: "enrol.node_id",
      attack: (ground) => spendCode(ground, { spoil: (honest) => ({ ...honest, nodeId: `node_${"0".repeat(26)}` }) }),
    },
    {
      row: 12,
      does: "a ceiling, approvers or a trust file in the answer",
      expects: "enrol.malformed",
      attack: (ground) =>
        inTurn(["ceiling", "approvers", "trust"], (field) =>
          spendCode(ground, { spoil: (honest) => ({ ...honest, body: { ...honest.body, [field]: {} } }) }),
        ),
    },
    {
      row: 13,
      does: "enrol.sign while root enrols nobody",
      expects: "enrol.marker",
      attack: async ({ open }) => (await open()).ask("enrol.sign", signFields(serverPublicKey)),
    },
    {
      row: 14,
      does: "enrol.sign for another server while root enrols",
      expects: "enrol.server_key",
      attack: async ({ open }) => {
        const host = await open({ before: (made) => beginWith(made, nowhere) });
        return host.ask("enrol.sign", signFields(publicKeyBytes(otherKey)));
      },
    },
    { row: 15, does: "another host's public key", by: server, name: refusedCase, of: "signed by another host key" },
    { row: 16, does: "one key as both", by: server, name: refusedCase, of: "with one key as both" },
    {
      row: 17,
      does: "a disk that was copied from another machine",
      expects: "identity.cloned",
      attack: async ({ open }) => {
        const host = await open({
          before: ({ paths }) => writeFileSync(join(paths.root, "etc/machine-id"), `${"b".repeat(32)}\n`),
        });
        return [
          await host.ask("status"),
          await host.ask("channel.sign", { channelKey: encodeBase64url(publicKeyBytes(otherKey)) }),
        ];
      },
    },
  ],
};
