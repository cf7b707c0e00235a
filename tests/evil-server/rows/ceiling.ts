import { writeFileSync } from "node:fs";
import type { FirewallApply, Operation } from "@gatehouse/plan";
import type { Ceiling } from "../../../apps/agent/src/ceiling/ceiling.ts";
import type { AttackedMachine } from "./attacked-machine.ts";
import type { Found } from "./found.ts";
import { approvers } from "./approvers.ts";
import { inTurn } from "./in-turn.ts";
import { approvalFor, approvedBy, fileAt, orderFor, planFor, signedTask, taskOf } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import { everything, type HostWish, serverCeiling, signedCeiling } from "./row-host.ts";
import { withApprovals } from "./statements.ts";

const allowing = (...allow: string[]): Ceiling => ({ schema: 1, level: "managed", allow, accepts: "signed" });

/** Operations that Ada has approved in these words, each list as a change of its own. */
const approvedAs =
  (words: Parameters<typeof approvalFor>[2]) =>
  ({ open }: RowGround, wish: HostWish, ...all: readonly (readonly Operation[])[]): Promise<Found[]> =>
    inTurn(all, async (operations) => {
      const host = await open(wish);
      const plan = await planFor(host, operations);
      return host.change(
        taskOf(host, plan, { approvals: approvedBy([approvers.ada], approvalFor(host, plan, words)) }),
      );
    });

const approved = approvedAs({});
/** An agent that took one of these would soon take it back: nobody could reach its host meanwhile. */
const soonBack = approvedAs({ rollbackWindow: 10 });

const restart = (unit: string): Operation => ({ kind: "service.restart", unit });

type Rules = FirewallApply["input"]["rules"];
const ssh: Rules[number] = { label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }] };
const table = (rules: Rules, more: Partial<FirewallApply> = {}): FirewallApply => ({
  kind: "firewall.apply",
  table: "gatehouse_filter",
  input: { policy: "drop", rules: [...rules] },
  ...more,
});

const paths = {
  gatehouse: ["/etc/gatehouse/ceiling.json", "/etc/gatehouse/trust.json", "/etc/gatehouse/server.json"],
  units: [
    "/etc/systemd/system/gatehouse-helper.service.d/50-ceiling.conf",
    "/etc/systemd/system/gatehouse-agent.service",
    "/etc/systemd/system/multi-user.target.wants/gatehouse-agent.service",
  ],
  state: [
    "/var/lib/gatehouse/host.key",
    "/var/lib/gatehouse/used",
    "/var/lib/gatehouse/journal/0001",
    "/usr/lib/gatehouse/rescue/gatehouse-agent",
    "/usr/lib/gatehouse/gatehouse-agent",
  ],
};

/** What the kernel keeps of the ceiling lets nothing be written, whatever the helper believes. */
async function closeKernel({ host, paths: { helperDropIn } }: AttackedMachine): Promise<void> {
  writeFileSync(helperDropIn, "[Service]\n");
  await host.shell("systemctl daemon-reload");
}

export const ceiling: RowFamily = {
  name: "ceiling",
  control: {
    does: "files that the ceiling names, some of them new, a firewall that keeps SSH, and a host whose server is enough",
    expects: "applied",
    mayChange: /^(\/etc\/(nginx\/nginx\.conf|nginx\/new\.conf|app\.conf) was |the ruleset)/,
    attack: async (ground) => [
      ...(await approved(
        ground,
        {},
        [fileAt("/etc/nginx/nginx.conf"), fileAt("/etc/app.conf"), fileAt("/etc/nginx/new.conf")],
        [table([ssh, { label: "answers", verdict: "accept", states: ["established"] }])],
      )),
      ...(await withApprovals(ground, { ceiling: serverCeiling }, (host, plan) => orderFor(host, plan))),
    ],
  },
  rows: [
    {
      row: 161,
      does: "an approved plan for a host that is only watched, or whose root has not said who approves",
      expects: "ceiling.off",
      attack: async (ground) => [
        ...(await approved(ground, { ceiling: "none written" }, [fileAt("/etc/nginx/nginx.conf")])),
        ...(await approved(ground, { ceiling: { schema: 1, level: "monitor" } }, [fileAt("/etc/nginx/nginx.conf")])),
        ...(await approved(ground, { ceiling: { schema: 1, level: "managed", allow: [...everything] } }, [
          fileAt("/etc/nginx/nginx.conf"),
        ])),
      ],
    },
    {
      row: 162,
      does: "a kind, a table, a unit that is not listed",
      expects: ["ceiling.kind", "ceiling.kind", "ceiling.table", "ceiling.unit"],
      attack: async (ground) => [
        ...(await approved(
          ground,
          { ceiling: allowing("file.write:/etc/nginx") },
          [restart("nginx.service")],
          [fileAt("/etc/nginx/nginx.conf"), table([ssh])],
        )),
        ...(await approved(ground, {}, [table([ssh], { table: "gatehouse_other" })], [restart("ssh.service")])),
      ],
    },
    {
      row: 163,
      does: "/etc/nginx-evil/x and others beside what is listed",
      expects: "ceiling.path",
      attack: (ground) =>
        approved(
          ground,
          {},
          ...[
            "/etc/nginx-evil/x",
            "/etc/nginx.conf",
            "/etc/shadow",
            "/var/lib/other/.ssh/authorized_keys",
            "/etc/app.conf.d",
          ].map((path) => [fileAt(path)]),
        ),
    },
    {
      row: 164,
      does: "the ceiling, the trust file and the server's key, though /etc is listed",
      expects: "ceiling.protected",
      attack: (ground) =>
        approved(ground, { ceiling: allowing("file.write:/etc") }, ...paths.gatehouse.map((path) => [fileAt(path)])),
    },
    {
      row: 165,
      does: "units of Gatehouse and what would override them, though /etc is listed",
      expects: "ceiling.protected",
      attack: (ground) =>
        approved(ground, { ceiling: allowing("file.write:/etc") }, ...paths.units.map((path) => [fileAt(path)])),
    },
    {
      row: 166,
      does: "the host key, what was used, the journal and the rescue program, though /var/lib and /usr/lib are listed",
      expects: "ceiling.protected",
      attack: (ground) =>
        approved(
          ground,
          { ceiling: allowing("file.write:/var/lib", "file.write:/usr/lib") },
          ...paths.state.map((path) => [fileAt(path)]),
        ),
    },
    {
      row: 167,
      does: "restarts of dbus, systemd and Gatehouse, which no ceiling can list",
      expects: ["ceiling.unit", "ceiling.unit", "ceiling.unit", "ceiling.malformed"],
      attack: async (ground) => {
        const units = ["dbus.service", "systemd-journald.service", "gatehouse-helper.service"];
        const listed = await ground.open({
          before: ({ paths: { ceiling: place } }) =>
            writeFileSync(place, JSON.stringify({ ...signedCeiling, allow: ["service.restart:dbus.service"] })),
        });
        const refused = await listed.change(await signedTask(listed, {}));
        return [...(await approved(ground, {}, ...units.map((unit) => [restart(unit)]))), refused];
      },
    },
    {
      row: 168,
      does: "tables that drop SSH, let it in from elsewhere only, or on another interface",
      expects: "ceiling.keep",
      attack: async (ground) => [
        ...(await soonBack(
          ground,
          {},
          [table([])],
          [table([{ ...ssh, sources: ["192.0.2.0/24"] }])],
          [table([{ ...ssh, interfaces: ["lo"] }])],
          [table([{ ...ssh, states: ["established"] }])],
          [table([{ label: "all", verdict: "drop" }, ssh])],
        )),
        ...(await soonBack(ground, { ceiling: { ...signedCeiling, keep: ["tcp/22:198.51.100.0/24"] } as Ceiling }, [
          table([{ ...ssh, sources: ["198.51.100.0/25"] }]),
        ])),
      ],
    },
    {
      row: 171,
      does: "a path that the helper takes for one of the ceiling's, and the kernel does not",
      expects: "failed_before_change validate.failed",
      attack: (ground) => approved(ground, { before: closeKernel }, [fileAt("/etc/nginx/nginx.conf")]),
    },
    {
      row: 170,
      does: "frames and verbs that set a ceiling",
      expects: ["local.verb", "local.verb", "frame.unknown", "frame.unknown"],
      attack: async ({ open, connect }) => {
        const host = await open({ ceiling: "none written" });
        const wish: HostWish = { ceiling: "none written" };
        return [
          await host.ask("ceiling.set", { level: "managed" }),
          await host.ask("ceiling.put", { ceiling: "AA" }),
          await connect({ name: "a ceiling", stage: "open", make: () => ['{"t":"ceiling","level":"managed"}'] }, wish),
          await connect({ name: "a ceiling", stage: "open", make: () => ['{"t":"ceiling.set"}'] }, wish),
        ];
      },
    },
  ],
};
