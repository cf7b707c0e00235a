import { planSize } from "@gatehouse/contract";
import type { Plan, PlanSectionView } from "@gatehouse/contract/routes";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { ApiProbe } from "../fleet/api-probe.ts";
import { FleetServer, findServerPort } from "../fleet/fleet-server.ts";
import { readEntriesSince } from "../fleet/kept.ts";
import { enrolAll } from "../fleet/people.ts";
import { seededHost, seedHosts } from "../fleet/seeded-hosts.ts";
import { percentile } from "../support/percentile.ts";
import type { PretendHost } from "../support/pretend-host.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import type { Settings } from "../support/suite-settings.ts";
import { endOfHost } from "./changes.ts";
import { ChangingFleet } from "./changing-fleet.ts";
import { findEarlyWaves, findMiscounts } from "./find-miscounts.ts";
import { harms } from "./harms.ts";
import { bundleNetguard } from "./netguard-bundle.ts";
import { PlanDesk } from "./plan-desk.ts";

/** So many come through the API, as all would; the others' records lie there before the start. */
const enrolledForReal = 100;
const beatSeconds = 20;
/** A machine that others starve lets a plugin run late, and everybody signs in anew for each step. */
const patience = { SERVICE_SIGNIN_RATE: "1000", SERVICE_PLUGIN_DEADLINE_FACTOR: "10" };

/** No wave of hosts of which two in a hundred take the change back comes near it. */
const halt = { percent: 50 };

/** Everything closed but SSH and the server itself, from whose machine these hosts connect. */
const closed = (port: number) => ({
  zones: {},
  services: { server: { protocol: "tcp", ports: [{ from: port, to: port }] } },
  ssh: { ports: [22] },
  allow: [{ service: "server", from: ["any"] }],
});
/** A firewall of netguard has more than three kilobytes for each host: beyond so many it is no plan any more. */
const fitsNetguard = 5_000;
/** For as many as a plan may have: the same table with one rule. */
const small = {
  title: "No telnet",
  summary: "Closes one port.",
  operations: [
    {
      kind: "firewall.apply",
      table: "gatehouse_netguard",
      input: {
        policy: "accept",
        rules: [{ label: "telnet", verdict: "drop", protocol: "tcp", ports: [{ from: 23, to: 23 }] }],
      },
    },
  ],
};

/** One plan for so many hosts, from its first question to the end of its last task. Decided by counts and by order. */
export function onePlanScenario(nodes: number | undefined): Scenario<"load:plans"> {
  return {
    name: "one plan",
    run: async ({ seed, counts }: Settings<"load:plans">) => {
      await buildIfOld();
      const hosts = Array.from({ length: nodes ?? counts.nodes }, (_, number) => seededHost(seed, number));
      return inScratch(async (directory) => {
        const seeded = Math.max(0, hosts.length - enrolledForReal);
        const place = `${directory}/data`;
        await seedHosts(place, { seed, count: seeded });
        const server = new FleetServer({
          directory: place,
          port: await findServerPort(),
          beatSeconds,
          windowSeconds: beatSeconds,
          settings: { ...(await bundleNetguard(directory)), ...patience },
        });
        const fleet = new ChangingFleet({ port: server.port, seed, count: hosts.length, beatSeconds });
        try {
          const run = new OnePlan({ server, fleet, hosts, seed, wave: counts.wave });
          await run.open(hosts.slice(seeded));
          await run.carryOut(place);
          return run.tally.outcome();
        } finally {
          await fleet.close();
          server.kill();
        }
      });
    },
  };
}

interface OnePlanParts {
  readonly server: FleetServer;
  readonly fleet: ChangingFleet;
  readonly hosts: readonly PretendHost[];
  readonly seed: number;
  /** Hosts of a wave. */
  readonly wave: number;
}

class OnePlan {
  readonly tally = new Tally();
  readonly #parts: OnePlanParts;
  readonly #desk: PlanDesk;

  constructor(parts: OnePlanParts) {
    this.#parts = parts;
    this.#desk = new PlanDesk(parts.server);
  }

  async open(enrolled: readonly PretendHost[]): Promise<void> {
    const { server, fleet, hosts } = this.#parts;
    await server.start();
    const cookie = await this.#desk.signIn();
    await this.#desk.activate("netguard");
    await this.#desk.done("PATCH", "/api/settings", { plans: { selfApproval: true } });
    await enrolAll(server, cookie, enrolled);
    await fleet.connect(hosts.length);
    this.tally.notes.push(`${mebibytes(server)} MiB with ${hosts.length} hosts connected`);
  }

  async carryOut(directory: string): Promise<void> {
    const { server, fleet, hosts, seed, wave } = this.#parts;
    const desk = this.#desk;
    if (hosts.length > fitsNetguard) await this.#timed("drawn up by netguard, and refused", () => this.#refuseLarge());
    const { id, bytes } = await this.#timed("made", () => this.#make());
    await this.#timed("reviewed", () => this.#review(id));
    await desk.signIn();
    const plan = await this.#timed("run", async () => {
      await desk.move(id, "apply", { waves: { size: wave }, halt });
      return desk.untilEnded(id);
    });
    const meant = new Map(hosts.map(({ nodeId }, number) => [nodeId, endOfHost(seed, number)]));
    if (plan.state !== "done") this.tally.fail(`the plan is ${plan.state}: ${plan.reason}`, harms.uncounted);
    const report = await fleet.until("every end is kept", ({ kept }) => kept === hosts.length || plan.state !== "done");
    for (const what of report.wrong) this.tally.fail(what);
    const [tasks, waves, changes] = [await desk.tasks(id), await desk.waves(id), await fleet.changes()];
    const most = mebibytes(server);
    fleet.leave();
    if (!(await server.isHealthy())) this.tally.fail("the server is not healthy at the end");
    const code = await server.stop();
    if (code !== 0) this.tally.fail(`the server ended with ${code}, expected 0`);
    for (const line of server.errors) this.tally.fail(`the server logged a failure: ${line}`);
    const entries = await readEntriesSince(directory, 0);
    const told = { plan, tasks, waves, changes, entries, meant };
    for (const problem of findMiscounts(told)) this.tally.fail(problem, harms.uncounted);
    for (const problem of findEarlyWaves(told)) this.tally.fail(problem, harms.early);
    this.tally.count("hosts", tasks.length);
    this.tally.count("waves", waves.length);
    for (const [state, count] of Object.entries(plan.ended ?? {})) this.tally.count(state.replace("_", " "), count);
    const again = changes.reduce((sum, { offers, tasks: heard }) => sum + offers - heard.length, 0);
    const ends = Object.entries(report.ends).map(([end, times]) => `${times} × ${end}`);
    this.tally.notes.push(`${bytes} bytes of plan`, `${most} MiB of the server's memory at the most`);
    this.tally.notes.push(`${again} offers again`, `connections refused or lost: ${ends.join(", ") || "none"}`);
  }

  /** A plan of netguard that is larger than any may be says so. */
  async #refuseLarge(): Promise<void> {
    const { status, body } = await this.#desk.ask<Plan>("POST", "/api/plans", this.#byNetguard());
    if (status === 413 && body.code === "plan.too_large" && body.detail?.includes(`${planSize.bytes} bytes, found`))
      return;
    this.tally.fail(`expected netguard's plan to be too large, found ${status} ${JSON.stringify(body).slice(0, 300)}`);
  }

  /** By netguard; for more hosts than fit, the same table with fewer rules. */
  async #make(): Promise<Plan> {
    const { nodes, review, ...netguard } = this.#byNetguard();
    const what = nodes.length <= fitsNetguard ? netguard : small;
    return (await this.#desk.done<Plan>("POST", "/api/plans", { ...what, nodes, review })).body;
  }

  #byNetguard() {
    const { hosts, server } = this.#parts;
    const nodes = hosts.map(({ nodeId }) => nodeId);
    return { plugin: "netguard", input: closed(server.port), nodes, review: false };
  }

  /** As a reviewer does: every section is read, then it is offered and approved. */
  async #review(id: string): Promise<void> {
    const { hosts } = this.#parts;
    const sections = await this.#desk.pages<PlanSectionView>(`/api/plans/${id}/sections?limit=100`);
    if (sections.length !== hosts.length) {
      this.tally.fail(`expected ${hosts.length} sections to review, found ${sections.length}`);
    }
    const refused = sections.filter(({ findings }) => findings.some(({ severity }) => severity === "refuse")).length;
    if (refused > 0) this.tally.fail(`the lint refuses ${refused} sections`);
    await this.#desk.move(id, "review");
    await this.#desk.signIn();
    await this.#desk.move(id, "approvals", { server: true, minutes: 600 });
  }

  /** Somebody uses the API meanwhile: how long that took is a figure, and decides nothing. */
  async #timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const { server } = this.#parts;
    const probe = new ApiProbe(`${server.base}/api/auth/whoami`, { cookie: await this.#desk.signIn() }, 50);
    const began = { at: performance.now(), processor: server.processorSeconds() };
    probe.start();
    try {
      const result = await work();
      const seconds = (performance.now() - began.at) / 1_000;
      const processor = server.processorSeconds() - began.processor;
      const { times } = probe.stop();
      const api = `API p99 ${Math.round(percentile(times, 0.99))} ms`;
      const said = `${what} in ${seconds.toFixed(1)} s, ${processor.toFixed(1)} of them on a processor, ${api}`;
      console.log(`  ${said}, ${mebibytes(server)} MiB at the most so far`);
      this.tally.notes.push(said);
      return result;
    } finally {
      probe.close();
    }
  }
}

function mebibytes(server: FleetServer): number {
  return Math.round(server.memory().most / 1024);
}
