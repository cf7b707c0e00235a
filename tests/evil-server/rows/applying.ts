import { renameSync, writeFileSync } from "node:fs";
import { encodeBase64url } from "@gatehouse/channel";
import { nodeIdOf, publicKeyBytes } from "@gatehouse/keys";
import { journalOn } from "../../lab/change-on-host.ts";
import { asNetworkPart } from "../../lab/helper-peer.ts";
import type { Found } from "./found.ts";
import { fileAt, planFor, signedTask, taskOf, usualChange } from "./made-task.ts";
import { evilPlace, layEvilPrograms, withEnvironment } from "./manager-environment.ts";
import { beginUnproved, probeOn, prove, strangersKey, whilePending } from "./pending.ts";
import type { RowFamily } from "./row.ts";
import type { RowHost } from "./row-host.ts";

const power = "tests/lab/power-cuts.test.ts";
const usual = "tests/lab/hosts-walk.test.ts";
const changes = "apps/agent/src/safety/open-changes.test.ts";
const proofs = "apps/agent/src/safety/judge-proof.test.ts";
const outcomes = "apps/server/src/features/plans/take-outcome.test.ts";
const deadman = "apps/agent/src/safety/open-deadman.test.ts";
const step = "after $step: $end";

/** Whether a program on the host was let do something. */
async function tried({ machine }: RowHost, ...words: readonly string[]): Promise<Found> {
  const { code, stderr } = await machine.host.run(...words);
  return { code: code === 0 ? "done" : "refused", detail: stderr.trim(), at: words.join(" ") };
}

/** When the timer is due that takes the change back, in microseconds of the machine. */
async function elapsesOn({ machine }: RowHost): Promise<number> {
  const unit = "/org/freedesktop/systemd1/unit/gatehouse_2ddeadman_2etimer";
  const property = "org.freedesktop.systemd1.Timer NextElapseUSecMonotonic";
  const said = await machine.host.shell(`busctl get-property org.freedesktop.systemd1 ${unit} ${property}`);
  return Number(said.split(" ")[1]);
}

/** Changes that are really made: on hosts with systemd and a kernel of their own, in the lab. */
export const applying: RowFamily = {
  name: "applying",
  control: {
    does: "a change that Ada has approved, and a host that reaches its server",
    expects: "applied",
    mayChange: usualChange,
    attack: async ({ open }) => {
      const host = await open();
      return host.change(taskOf(host, await planFor(host, [fileAt("/etc/nginx/nginx.conf")])));
    },
  },
  rows: [
    {
      row: 183,
      does: "a second change while one waits for its proof; and a second timer of that name",
      expects: ["slot.busy", "refused", "applied"],
      mayChange: usualChange,
      attack: (ground) =>
        whilePending(ground, async (host) => [
          await host.offer(await signedTask(host, {})),
          await tried(host, "systemd-run", "--quiet", "--unit=gatehouse-deadman", "--on-active=1h", "true"),
        ]),
    },
    {
      row: 184,
      does: "as the network part: stop the timer that takes the change back",
      expects: ["refused", "applied"],
      mayChange: usualChange,
      attack: (ground) =>
        whilePending(ground, async (host) => [
          await tried(host, ...asNetworkPart, "systemctl", "--no-ask-password", "stop", "gatehouse-deadman.timer"),
        ]),
    },
    {
      row: 185,
      does: "the manager reloaded again and again, to postpone the timer",
      expects: ["unmoved", "applied"],
      mayChange: usualChange,
      attack: (ground) =>
        whilePending(ground, async (host) => {
          const due = await elapsesOn(host);
          for (let time = 0; time < 5; time += 1) await host.machine.host.shell("systemctl daemon-reload");
          // systemd keeps it over a reload to the millisecond.
          const by = Math.abs((await elapsesOn(host)) - due);
          return [{ code: by < 1_000 ? "unmoved" : "moved", detail: `by ${by} microseconds`, at: "systemd" }];
        }),
    },
    {
      row: 186,
      does: "BUN_OPTIONS in the manager's environment, with a script to load",
      expects: "applied",
      mayChange: usualChange,
      attack: async ({ open }) => {
        const host = await open({
          before: async (machine) => {
            layEvilPrograms(machine);
            await withEnvironment({ BUN_OPTIONS: `--preload=${evilPlace}/preload.js` })(machine);
          },
        });
        return host.change(await signedTask(host, {}));
      },
    },
    {
      row: 187,
      does: "the program that takes changes back is damaged",
      expects: "failed_before_change deadman.check",
      attack: async ({ open }) => {
        const host = await open({
          before: ({ paths: { rescue }, undo }) => {
            undo.push(() => renameSync(`${rescue}.good`, rescue));
            renameSync(rescue, `${rescue}.good`);
            writeFileSync(rescue, new Uint8Array(4_096), { mode: 0o755 });
          },
        });
        return host.change(await signedTask(host, {}));
      },
    },
    {
      row: 189,
      does: "somebody holds the name of the unit",
      expects: "failed_before_change deadman.arm",
      attack: async ({ open }) => {
        const host = await open({
          before: async ({ host: machine, undo }) => {
            undo.push(() => machine.shell("systemctl stop gatehouse-deadman.service"));
            await machine.shell("systemd-run --quiet --unit=gatehouse-deadman --remain-after-exit sleep infinity");
          },
        });
        return host.changeBeside(await signedTask(host, {}));
      },
    },
    {
      row: 192,
      does: "the server's own word, though the host reaches nobody",
      expects: ["answered", "applied"],
      mayChange: usualChange,
      attack: async ({ open }) => {
        const host = await open();
        await beginUnproved(host);
        return [await prove(host, { probe: await probeOn(host) }), await host.end()];
      },
    },
    {
      row: 193,
      does: "no welcome",
      expects: "rolled_back confirm.late",
      // The very file that it was: nothing about it is other but when it was given its name back.
      mayChange: /^\/etc\/nginx\/nginx\.conf was (a file, .*)changed \d+, ([0-9a-f]+), is \1changed \d+, \2$/,
      attack: async ({ open }) => {
        const host = await open();
        await beginUnproved(host, 20);
        return host.end();
      },
    },
    {
      row: 194,
      does: "a welcome of an earlier probe",
      expects: ["applied", "confirm.proof", "applied"],
      mayChange: usualChange,
      attack: async (ground) => {
        const host = await ground.open();
        const first = await host.change(await signedTask(host, {}));
        const probe = (await journalOn(host.machine.host)).find(({ kind }) => kind === "probe");
        const earlier = probe?.kind === "probe" ? Uint8Array.fromHex(probe.data.nonce) : new Uint8Array();
        return [first, ...(await whilePending(ground, async () => [await prove(host, { probe: earlier })]))];
      },
    },
    {
      row: 195,
      does: "a welcome of another host",
      expects: ["confirm.proof", "applied"],
      mayChange: usualChange,
      attack: (ground) =>
        whilePending(ground, async (host) => {
          const nodeId = nodeIdOf(publicKeyBytes(strangersKey));
          return [await prove(host, { probe: await probeOn(host), nodeId })];
        }),
    },
    {
      row: 196,
      does: "no frames at all",
      expects: ["confirm.proof", "applied"],
      mayChange: usualChange,
      attack: (ground) =>
        whilePending(ground, async (host) => {
          const empty = encodeBase64url(new Uint8Array(8));
          return [await host.ask("probe.proof", { hello: empty, welcome: empty })];
        }),
    },
    {
      row: 197,
      does: "a proof before there is a probe",
      expects: "confirm.proof",
      attack: async ({ open }) => prove(await open(), { probe: new Uint8Array(32).fill(1) }),
    },
    {
      row: 199,
      does: "a welcome by another key",
      expects: ["confirm.proof", "applied"],
      mayChange: usualChange,
      attack: (ground) =>
        whilePending(ground, async (host) => [await prove(host, { probe: await probeOn(host), key: strangersKey })]),
    },
    {
      row: 172,
      does: "power cut at `armed`",
      by: power,
      name: step,
      of: '{ step: "armed", end: "failed_before_change',
    },
    { row: 173, does: "power cut in `applying`", by: power, name: step, of: '{ step: "applying", end: "rolled_back' },
    { row: 174, does: "power cut after `confirmed`", by: power, name: step, of: '{ step: "confirmed", end: "applied"' },
    {
      row: 176,
      does: "a journal that cannot be written, at every record",
      by: changes,
      name: "a journal that cannot be written ends the process",
      of: "at %s",
    },
    {
      row: 178,
      does: "a part of the host changed between acceptance and change",
      by: changes,
      name: "a part that somebody has changed since it was judged",
    },
    {
      row: 180,
      does: "an end that no host has signed",
      by: "apps/cli/src/plans/judge-outcome.test.ts",
      name: "a server that shows %s proves nothing",
      of: "a signature that does not fit",
    },
    {
      row: 181,
      does: "an outcome of another task, plan or approval",
      by: outcomes,
      name: "%s is written down and not believed",
      of: "under another approval",
    },
    { row: 182, does: "the helper killed at every step", by: power, name: step, of: "const deaths" },
    {
      row: 188,
      does: "a timer that is off by more than a second",
      by: deadman,
      name: "a timer that is off a third time is stopped and refused",
    },
    {
      row: 191,
      does: "a proof in the moment in which the dead-man begins",
      by: proofs,
      name: "when the dead-man was the first to write",
    },
    {
      row: 198,
      does: "the connection from before the change",
      by: usual,
      name: "is taken back by the host alone, if somebody signs it all the same",
    },
    { row: 200, does: "a proof after the deadline", by: proofs, name: "too late is a proof", of: "after the deadline" },
  ],
};
