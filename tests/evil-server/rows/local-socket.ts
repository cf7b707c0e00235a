import { connect } from "node:net";
import { encodeBase64url } from "@gatehouse/channel";
import { newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { localLimits } from "../../../apps/agent/src/local/local-limits.ts";
import { openLocalMessages, packLocalMessage } from "../../../apps/agent/src/local/local-messages.ts";
import type { Found } from "./found.ts";
import { approvers } from "./approvers.ts";
import { approvalFor, approvedBy, planFor, taskOf, usualChange } from "./made-task.ts";
import { inTurn } from "./in-turn.ts";
import type { RowFamily } from "./row.ts";
import type { RowHost } from "./row-host.ts";

/** Writes bytes of its own to the socket, and gives the last answer before the helper hangs up. */
function sayRaw({ paths }: RowHost, ...messages: readonly Uint8Array[]): Promise<Found> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: paths.helperSocket });
    const reader = openLocalMessages(localLimits.answerBytes);
    let last: { readonly code?: string; readonly detail?: string } = {};
    socket.on("connect", () => messages.forEach((message) => socket.write(message)));
    socket.on("data", (chunk: Buffer) => {
      for (const each of reader.push(chunk)) last = JSON.parse(Buffer.from(each).toString("utf8")) as typeof last;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve({ code: last.code ?? "answered", detail: last.detail ?? "", at: "helper.sock" }));
  });
}

const asked = (value: unknown) => packLocalMessage(value);
const status = (id: unknown) => asked({ v: 1, id, verb: "identity" });
const lengthOf = (length: number) => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, length);
  return bytes;
};

const door = "/run/gatehouse/helper.sock";
const knock = `IO::Socket::UNIX->new(Peer => "${door}") or print $!{EACCES} ? "EACCES" : $!`;

/** A program of somebody who is not root. */
async function asNobody({ machine }: RowHost, ...words: readonly string[]): Promise<Found> {
  const { stdout, stderr } = await machine.host.run("setpriv", "--reuid=65534", "--regid=65534", ...words);
  return { code: stdout.trim() || "done", detail: stderr.trim(), at: door };
}

export const localSocket: RowFamily = {
  name: "local socket",
  control: {
    does: "the same connection with a change that Ada has approved",
    expects: ["answered", "applied"],
    mayChange: usualChange,
    attack: async ({ open }) => {
      const host = await open();
      return [await host.ask("identity"), await host.change(taskOf(host, await planFor(host)))];
    },
  },
  rows: [
    {
      row: 263,
      does: "somebody outside of the group",
      expects: "EACCES",
      attack: async ({ open }) =>
        asNobody(await open(), "--clear-groups", "perl", "-MErrno", "-MIO::Socket::UNIX", "-e", knock),
    },
    {
      row: 269,
      does: "another socket in its place, by somebody in the group",
      expects: "EACCES",
      attack: async ({ open }) => {
        const host = await open();
        return inTurn([`unlink "${door}"`, `rename "${door}", "${door}.old"`], (act) =>
          asNobody(host, "--groups=gatehouse", "perl", "-MErrno", "-e", `${act} or print $!{EACCES} ? "EACCES" : $!`),
        );
      },
    },
    {
      row: 264,
      does: "a length of 2^32-1, one above the limit, 51 messages at once",
      expects: "local.limit",
      attack: async ({ open }) => {
        const flood = Array.from({ length: localLimits.messagesPerSecond + 1 }, (_, at) => status(at + 1));
        return [
          await sayRaw(await open(), lengthOf(2 ** 32 - 1)),
          await sayRaw(await open(), lengthOf(localLimits.messageBytes + 1)),
          await sayRaw(await open(), Buffer.concat(flood)),
        ];
      },
    },
    {
      row: 265,
      does: "ids twice, wrong shapes, rubbish",
      expects: "local.frame",
      attack: async ({ open }) => {
        const host = await open();
        const found: Found[] = [];
        for (const messages of [
          [status(1), status(1)],
          [status(2), status(1)],
          [status(0)],
          [status(-1)],
          [status("1")],
          [asked({ v: 2, id: 1, verb: "identity" })],
          [asked({ v: 1, id: 1 })],
          [asked([])],
          [asked(null)],
          [asked({ v: 1, id: 1, verb: "identity", more: 1 })],
          [Buffer.concat([lengthOf(3).subarray(0, 4), Buffer.from("{{{")])],
          [Buffer.concat([lengthOf(2).subarray(0, 4), Uint8Array.of(0xff, 0xfe)])],
        ]) {
          found.push(await sayRaw(host, ...messages));
        }
        return found;
      },
    },
    {
      row: 266,
      does: "ceiling.set, trust.reset, rollback and others that are root's",
      expects: "local.verb",
      attack: async ({ open }) => {
        const host = await open();
        const found: Found[] = [];
        for (const verb of ["ceiling.set", "trust.reset", "clock.reset", "rollback", "toString", "__proto__", ""]) {
          found.push(await host.ask(verb));
        }
        return found;
      },
    },
    {
      row: 267,
      does: "a change of its own that nobody approved, and then one that Ada did",
      expects: ["signature.key_unknown", "applied"],
      mayChange: usualChange,
      attack: async ({ open }) => {
        const host = await open();
        const plan = await planFor(host);
        const approvals = approvedBy([approvers.stranger], approvalFor(host, plan));
        return [await host.change(taskOf(host, plan, { approvals })), await host.change(taskOf(host, plan))];
      },
    },
    {
      row: 268,
      does: "channel.sign for keys of its own",
      expects: ["answered", "local.limit", "key.weak"],
      attack: async ({ open }) => {
        const host = await open();
        const sign = (key: Uint8Array) => host.ask("channel.sign", { channelKey: encodeBase64url(key) });
        return [
          await sign(publicKeyBytes(newPrivateKey())),
          await sign(publicKeyBytes(newPrivateKey())),
          await sign(new Uint8Array(32)),
        ];
      },
    },
  ],
};
