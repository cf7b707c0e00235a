import { existsSync } from "node:fs";
import { encodeBase64url } from "@gatehouse/channel";
import type { NetworkWireguard } from "@gatehouse/plan";
import type { Ceiling } from "../../../apps/agent/src/ceiling/ceiling.ts";
import { findWireguardKey } from "../../../apps/agent/src/operations/wireguard-keys.ts";
import { interfaceOf, labInterface } from "../../lab/lab-wireguard.ts";
import { inTurn } from "./in-turn.ts";
import type { Found } from "./found.ts";
import { planFor, taskOf } from "./made-task.ts";
import type { RowFamily } from "./row.ts";
import type { RowHost } from "./row-host.ts";

const request = encodeBase64url(new Uint8Array(32).fill(5));
const read = (host: RowHost, ...subjects: readonly string[]) => host.ask("state.read", { request, subjects });

/** Keys of machines that only the server knows. */
const [server, other] = [5, 6].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string];
const peerWith = (publicKey: string) => ({ label: "db-1", publicKey, allowedIps: ["10.77.0.9/32"] });
const filesOnly: Ceiling = { schema: 1, level: "managed", allow: ["file.write:/etc/nginx"], accepts: "signed" };

/** Root says from where people come. */
const keepsOffice: Ceiling = {
  schema: 1,
  level: "managed",
  allow: [`network.wireguard:${labInterface}`],
  accepts: "signed",
  keep: ["tcp/22:10.80.4.0/24"],
};

/** A plan for the host as it is, with the key that it has made by being asked. */
async function planOf(host: RowHost, operation: NetworkWireguard) {
  await read(host, `wireguard:${labInterface}`);
  const key = findWireguardKey(host.paths.root, labInterface)?.publicKey ?? "";
  const states = { [`wireguard:${labInterface}`]: { publicKey: key, interface: null } };
  return planFor(host, [operation], { states });
}

/** Whether a question has made a key. */
function keysOn(host: RowHost): Found {
  const code = existsSync(host.paths.wireguard) ? "keys were made" : "no key";
  return { code, detail: host.paths.wireguard, at: "state.read" };
}

export const wireguard: RowFamily = {
  name: "network.wireguard",
  control: {
    does: "an interface that the ceiling names, with a peer that Ada has approved",
    expects: "applied",
    mayChange:
      /^(the routes|the units|\/run\/systemd\/transient\/gatehouse-wireguard-wg0\.service|\/(var\/)?tmp\/systemd-private-[0-9a-f]{32}-gatehouse-wireguard-wg0\.service-)/,
    attack: async ({ open }) => {
      const host = await open();
      const plan = await planOf(host, interfaceOf(1, [peerWith(other)]));
      return host.change(taskOf(host, plan));
    },
  },
  rows: [
    {
      row: 286,
      does: "an interface beside the one that the ceiling names, and one where it names none",
      expects: ["ceiling.interface", "ceiling.interface", "ceiling.kind"],
      attack: async ({ open }) => {
        const beside = await inTurn(["wg1", "wg00"], async (name) => {
          const host = await open();
          const plan = await planFor(host, [interfaceOf(1, [peerWith(server)], { interface: name })]);
          return host.change(taskOf(host, plan));
        });
        const host = await open({ ceiling: filesOnly });
        return [...beside, await host.change(taskOf(host, await planFor(host, [interfaceOf(1, [])])))];
      },
    },
    {
      row: 287,
      does: "questions about interfaces that the ceiling does not name: each would make a key and tell who the host is",
      expects: ["read.ceiling", "no key", "read.ceiling", "no key", "read.ceiling", "no key"],
      attack: async ({ open }) => {
        const told = await inTurn(["wg1", "wg00"], async (name) => {
          const host = await open();
          return [await read(host, `wireguard:${name}`), keysOn(host)];
        });
        const host = await open({ ceiling: filesOnly });
        return [...told, await read(host, `wireguard:${labInterface}`), keysOn(host)];
      },
    },
    {
      row: 288,
      does: "an interface for a key that is not the host's, approved by somebody who was shown another",
      expects: "failed_before_change validate.failed",
      attack: async ({ open }) => {
        const host = await open();
        const plan = await planOf(host, interfaceOf(1, [peerWith(other)], { publicKey: server }));
        return host.change(taskOf(host, plan));
      },
    },
    {
      row: 289,
      does: "an approval of one peer, brought with a plan that lets in another, under its own digest and under the approved one",
      expects: ["statement.plan", "plan.digest"],
      attack: async ({ open }) => {
        const host = await open();
        const approved = await planOf(host, interfaceOf(1, [peerWith(other)]));
        const changed = await planOf(host, interfaceOf(1, [peerWith(server)]));
        const { approvals } = taskOf(host, approved);
        return inTurn([changed.planDigest, approved.planDigest], (planDigest) =>
          host.change(taskOf(host, changed, { approvals, planDigest })),
        );
      },
    },
    {
      row: 290,
      does: "interfaces that lead everything to a machine of the server, in two halves, in public networks, or from where root keeps a way in open",
      expects: ["plan.schema", "plan.schema", "ceiling.keep", "ceiling.keep", "ceiling.keep"],
      attack: async ({ open }) => {
        const led = async (host: RowHost, ...allowedIps: string[]) => {
          const plan = await planOf(host, interfaceOf(1, [{ ...peerWith(server), allowedIps }]));
          return host.change(taskOf(host, plan));
        };
        const usual = await inTurn(
          [["0.0.0.0/1", "128.0.0.0/1"], ["169.254.169.254/32"], ["198.51.100.7/32"], ["2001:db8:7::/48"]],
          async (networks) => led(await open(), ...networks),
        );
        const kept = await open({ ceiling: keepsOffice });
        return [...usual, await led(kept, "10.80.4.0/25")];
      },
    },
  ],
};
