import { pretendState, trustsServer } from "../support/pretend-state.ts";
import { until } from "../support/until.ts";
import { type Api, openApi, userPassword } from "./api.ts";
import { bringHost, type BroughtHost } from "./connect-host.ts";
import { managedCeiling, serverCeiling } from "./host-ceilings.ts";
import { inventLog } from "./invent-log.ts";
import { inventMinutes, untilMeasured } from "./invent-minutes.ts";
import { type SeededWaves, seedWaves } from "./seed-waves.ts";
import type { World } from "./world.ts";

export interface SeededPlans extends SeededWaves {
  /** Their ids, by what became of them. */
  readonly inReview: string;
  readonly refused: string;
  readonly linted: string;
  readonly rejected: string;
  readonly approved: string;
  readonly done: string;
  /** Hosts that have measured something, those first whose plan they have answered. */
  readonly measured: readonly string[];
  /** The newest line of a log that says an error. */
  readonly errorLine: string;
  readonly close: () => void;
}

export const nothingWrong = {
  code: "apply.absent",
  detail: "expected a change that its path confirms, found one that waits for an approver's word",
};

/** What tells one host's minutes from another's. */
const measuredHosts = [
  { rates: [9_000_000, 32_000_000], fell: 24, restarted: 80 },
  { rates: [6_000_000, 27_000_000] },
  { rates: [4_000_000, 16_000_000], gap: 40 },
  { rates: [3_000_000, 13_000_000] },
  { rates: [2_000_000, 8_000_000] },
] as const;

/** Three hosts that say what they are like, two of them alike, and plans for them in the states that plans reach. */
export async function seedPlans(world: World, api: Api): Promise<SeededPlans> {
  const ways = { tell: pretendState, ceiling: managedCeiling, logs: true };
  const names = ["fra1-edge-901", "fra1-edge-902", "nyc3-db-primary-replica-candidate-01"];
  const hosts: BroughtHost[] = [];
  const nodes: string[] = [];
  for (const name of names) {
    const host = await bringHost(world, api, { name, tags: ["edge"] }, ways);
    hosts.push(host);
    nodes.push(host.id);
  }
  const make = async (body: object): Promise<string> => {
    const answer = await api.call("POST", "/api/plans", { nodes, ...body });
    if (answer.status !== 201) throw new Error(`a plan was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return String(answer.body["id"]);
  };
  const linted = await make({
    title: "Restart nginx.service after the certificate was renewed",
    summary: "The new certificate is on disk since 03:00; nginx still serves the old one.",
    operations: [{ kind: "service.restart", unit: "nginx.service" }],
    review: false,
  });
  const rejected = await make({
    title: "Write /etc/nginx/conf.d/limits.conf",
    summary: "Fewer connections for each client.",
    operations: [file("/etc/nginx/conf.d/limits.conf", "limit_conn_zone $binary_remote_addr zone=each:10m;\n")],
    nodes: nodes.slice(0, 1),
  });
  const { etag } = await api.call("GET", `/api/plans/${rejected}`);
  const reason = { reason: "The staging hosts come first; plan it again when they held for a day." };
  await api.call("POST", `/api/plans/${rejected}/rejection`, reason, { "If-Match": etag });
  const refused = await make({
    title: "Close everything but the web on the edge",
    summary: "SSH goes over the bastion from now on.",
    operations: [firewall([web(80, 443)])],
  });
  const inReview = await make({
    title: "QUIC on 8443 for the edge, SSH from the office only",
    summary: "The edge takes UDP 8443 from everybody, and SSH from the office network alone.",
    operations: [
      firewall([
        {
          label: "ssh",
          verdict: "accept",
          sources: ["198.51.100.0/24"],
          protocol: "tcp",
          ports: [{ from: 22, to: 22 }],
        },
        web(80, 443, 8443),
        // The hosts of a test connect from the server's own machine: its port must stay open there.
        { ...web(Number(new URL(world.baseUrl).port)), label: "gatehouse" },
        { label: "quic", verdict: "accept", protocol: "udp", ports: [{ from: 8443, to: 8443 }] },
      ]),
      file(
        "/etc/nginx/conf.d/quic.conf",
        "listen 8443 quic reuseport;\nadd_header Alt-Svc 'h3=\":8443\"; ma=86400';\n",
      ),
      { kind: "service.restart", unit: "nginx.service" },
    ],
    management: ["198.51.100.0/24"],
  });
  const { nodes: answered, ...runs } = await seedRuns(world, api, (host) => hosts.push(host));
  const measured = [...answered, ...nodes];
  const now = Date.now();
  for (const [seed, id] of measured.entries()) {
    const minutes = inventMinutes({ seed, now, count: 200, ...measuredHosts[seed] });
    hosts.find((host) => host.id === id)?.measure(minutes);
    await untilMeasured(api, id);
  }
  await Promise.all(
    measured.slice(0, 3).map(async (id, seed) => {
      const told = inventLog({ seed, now, count: 380 - seed * 120, minutes: 60, ...(seed === 0 && { failed: 24 }) });
      await hosts.find((host) => host.id === id)?.log(told);
    }),
  );
  const found = await api.call("GET", "/api/logs?level=error&limit=1");
  const [error] = found.body["items"] as { readonly id: string }[];
  const errorLine = error?.id ?? "";
  return {
    inReview,
    refused,
    linted,
    rejected,
    ...runs,
    measured,
    errorLine,
    close: () => hosts.forEach(({ close }) => close()),
  };
}

/** Hosts that trust the server, with a plan that somebody approved and one that they have answered. */
async function seedRuns(
  world: World,
  api: Api,
  keep: (host: BroughtHost) => void,
): Promise<Pick<SeededPlans, "approved" | "done"> & SeededWaves & { readonly nodes: readonly string[] }> {
  const outside = { code: "ceiling.unit", detail: "expected one of haproxy.service, found nginx.service" };
  const nodes: string[] = [];
  for (const [name, refuses] of Object.entries({ "ams1-web-901": nothingWrong, "ams1-web-902": outside })) {
    const host = await bringHost(
      world,
      api,
      { name },
      { tell: trustsServer, ceiling: serverCeiling, refuses, logs: true },
    );
    keep(host);
    nodes.push(host.id);
  }
  await api.newUser("ruth.adeyemi", "approver");
  const approver = await openApi(world, { username: "ruth.adeyemi", password: userPassword });
  const restart = { operations: [{ kind: "service.restart", unit: "nginx.service" }], nodes };
  const made = async (title: string): Promise<string> => {
    const wish = { ...restart, title, summary: "nginx serves the old certificate." };
    const { body } = await api.call("POST", "/api/plans", wish);
    const path = `/api/plans/${String(body["id"])}`;
    await moved(approver, path, "approvals", { server: true });
    return path;
  };
  const approved = await made("Restart nginx.service on the web hosts tonight");
  const done = await made("Restart nginx.service on the web hosts");
  await moved(api, done, "apply");
  await until("every host has answered", async () => (await api.call("GET", done)).body["state"] === "done");
  const waves = await seedWaves({ world, api, approver, keep });
  return { approved: idOf(approved), done: idOf(done), ...waves, nodes };
}

async function moved(api: Api, path: string, move: string, body?: object): Promise<void> {
  const { etag } = await api.call("GET", path);
  const answer = await api.call("POST", `${path}/${move}`, body, { "If-Match": etag });
  if (answer.status !== 200) throw new Error(`${move} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
}

function idOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function file(path: string, text: string) {
  return { kind: "file.write", path, text, mode: "0644", owner: "root", group: "root" };
}

function web(...ports: readonly number[]) {
  return { label: "web", verdict: "accept", protocol: "tcp", ports: ports.map((port) => ({ from: port, to: port })) };
}

function firewall(more: readonly object[]) {
  const rules = [
    { label: "loopback", verdict: "accept", interfaces: ["lo"] },
    { label: "answers", verdict: "accept", states: ["established", "related"] },
    ...more,
  ];
  return { kind: "firewall.apply", table: "gatehouse_edge", input: { policy: "drop", rules } };
}
