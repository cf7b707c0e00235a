import { runAll } from "@gatehouse/base";
import { protocolVersions } from "@gatehouse/channel";
import type { NewEnrolment, Node, Plan } from "@gatehouse/contract/routes";
import type { Operation } from "@gatehouse/plan";
import type { Settings } from "../acceptance/driver/server-driver.ts";
import { type FalseServer, startFalseServer } from "../support/false-server.ts";
import { SshApprover } from "../support/ssh-approver.ts";
import { agentUnit } from "./agent-on-host.ts";
import { lastRecordOn, untilJournal } from "./change-on-host.ts";
import { FleetDesk, fleetSettings } from "./fleet-desk.ts";
import type { Front } from "./front.ts";
import { labTable } from "./lab-firewalls.ts";
import { labPlace, labService, makeLabService } from "./lab-service.ts";
import { type ManagedHost, trustedFile } from "./managed-host.ts";
import { openLab } from "./open-lab.ts";
import { PlanDesk } from "./plan-desk.ts";

/** A host whose root lets an approver change its firewall, files of one directory and one service. */
export interface ApprovedHost {
  readonly host: ManagedHost;
  readonly node: Node;
  readonly approver: SshApprover;
}

/** A lab whose hosts are enrolled, and take changes of one firewall table, one directory and one service. */
export class ManagedLab<Name extends string> {
  readonly front: Front;
  readonly desk: FleetDesk;
  readonly plans: PlanDesk;
  readonly hosts: Readonly<Record<Name, ApprovedHost>>;
  /** Stands in the server's place when it is asked to, and cannot welcome anybody. */
  readonly silent: FalseServer;
  readonly close: () => Promise<void>;

  constructor(parts: Pick<ManagedLab<Name>, "front" | "desk" | "plans" | "hosts" | "silent" | "close">) {
    ({
      front: this.front,
      desk: this.desk,
      plans: this.plans,
      hosts: this.hosts,
      silent: this.silent,
      close: this.close,
    } = parts);
  }

  /** Makes a change through the server while nobody welcomes the host: it is made, and waits for a proof. */
  async beginUnproved(on: ApprovedHost, operations: readonly Operation[], rollbackWindow: number): Promise<Plan> {
    await this.desk.online(on.host);
    const before = await lastRecordOn(on.host);
    // The connection that is open stays; every new one leads elsewhere.
    await this.front.leadTo(this.silent.place);
    try {
      const plan = await this.plans.begin(operations, on.node, on.approver, { rollbackWindow });
      await untilJournal(on.host, "probe", before);
      return plan;
    } catch (error) {
      // The tests that follow want their server.
      await this.reachAgain(on);
      throw error;
    }
  }

  /** The server is back, and the host need not pause before it tries again. */
  async reachAgain({ host }: ApprovedHost): Promise<void> {
    await this.front.leadTo(undefined);
    await host.shell(`systemctl restart ${agentUnit}`);
    await this.desk.online(host);
  }
}

/** Brought by root himself. */
const broughtAgent = "/opt/lab/gatehouse-agent";

/** What root of every host says besides the usual. */
export interface RootsMore {
  /** Further entries of the ceiling. */
  readonly allow?: readonly string[];
  /** ID=KEY of those whose programs are taken. */
  readonly publishers?: readonly string[];
  /** The agent that enrols; without it the one that the server offers. */
  readonly agent?: Uint8Array;
}

export async function openManagedLab<const Name extends string>(
  names: readonly Name[],
  more: RootsMore = {},
  settings: Settings = {},
): Promise<ManagedLab<Name>> {
  const lab = await openLab(names, { ...settings, ...fleetSettings });
  const approver = new SshApprover();
  const steps: (() => void | Promise<void>)[] = [() => lab.close(), () => approver.remove()];
  const close = () => runAll(steps.toReversed());
  try {
    const { front } = lab;
    const desk = new FleetDesk(front);
    const plans = new PlanDesk(desk.owner);
    const managed = names.map(async (name) => [name, await manage(desk, lab.hosts[name], approver, more)] as const);
    const hosts = Object.fromEntries(await Promise.all(managed)) as Record<Name, ApprovedHost>;
    await plans.allowOwnPlans();
    const silent = await startFalseServer({ key: await desk.serverKey(), versions: protocolVersions });
    steps.push(() => silent.stop());
    return new ManagedLab({ front, desk, plans, hosts, silent, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function enrolWith(agent: Uint8Array, host: ManagedHost, { code }: NewEnrolment): Promise<void> {
  await host.write(broughtAgent, agent, "755");
  await host.shell(`${broughtAgent} enrol ${code} --ca ${trustedFile} && rm ${broughtAgent}`);
}

async function manage(
  desk: FleetDesk,
  host: ManagedHost,
  approver: SshApprover,
  { allow = [], publishers = [], agent }: RootsMore,
): Promise<ApprovedHost> {
  if (agent === undefined) await host.shell(await desk.line());
  else await enrolWith(agent, host, await desk.code());
  await desk.online(host);
  const named = `--approver '${approver.line}' --fingerprint ${approver.fingerprint}`;
  await makeLabService(host);
  const allowed = [`firewall.apply:${labTable}`, `file.write:${labPlace}`, `service.restart:${labService}`, ...allow];
  const allows = [
    ...allowed.map((entry) => `--allow ${entry}`),
    ...publishers.map((publisher) => `--publisher ${publisher}`),
  ].join(" ");
  await host.shell(`gatehouse-agent ceiling set managed ${allows} --read-log ${labService} ${named}`);
  const node = await desk.until(host, ({ facts }) => facts?.accepts === "signed", "takes signatures");
  return { host, node, approver };
}
