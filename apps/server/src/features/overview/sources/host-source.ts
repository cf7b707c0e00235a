import { compareVersions, versionPattern } from "@gatehouse/base";
import type { NodeState } from "@gatehouse/contract/routes";
import { overviewLimits } from "../limits.ts";
import { cutFindings, type OverviewFindings, type OverviewSource } from "../overview-source.ts";

/** What the overview has to know of a host. */
export interface SurveyedHost {
  readonly id: string;
  readonly name: string;
  readonly state: NodeState;
  readonly since: number | undefined;
  readonly address: string | undefined;
  readonly skewMs: number | undefined;
  readonly rival: { readonly address: string; readonly at: number } | undefined;
  readonly agentVersion: string | undefined;
  /** Parts that are not as they were confirmed. */
  readonly drift: { readonly parts: number; readonly since: number } | undefined;
}

/** Hosts that somebody has to look at; of the others nothing is held. */
export interface HostTroubles {
  readonly offline: readonly SurveyedHost[];
  readonly rivals: readonly SurveyedHost[];
  readonly clocks: readonly SurveyedHost[];
  readonly drifted: readonly SurveyedHost[];
  readonly old: readonly SurveyedHost[];
  /** Of some it is not known yet whether they are gone: soon it will be, and nothing tells of that. */
  readonly isUnsettled: boolean;
}

export interface HostSourceDeps {
  /** The same for everybody who asks; it is cut to the asker's nodes here. */
  readonly readTroubles: () => Promise<HostTroubles>;
  /** Of this server's agent. */
  readonly version: string;
}

export function hostSource({ readTroubles, version }: HostSourceDeps): OverviewSource {
  return {
    about: "hosts",
    kinds: ["rival", "offline", "drift", "clock", "old_agent"],
    read: async ({ seen }) => {
      const { rivals, offline, drifted, clocks, old } = await readTroubles();
      const own = (hosts: readonly SurveyedHost[]) => hosts.filter(({ id }) => seen.has(id));
      return [
        cutFindings("rival", own(rivals), sayRival),
        cutFindings("offline", own(offline), sayOffline),
        cutFindings("drift", own(drifted), sayDrift),
        cutFindings("clock", own(clocks), sayClockOff),
        sayOld(own(old), version),
      ];
    },
  };
}

/** One look at every host: each is judged as it is passed, and let go where nothing is the matter with it. */
export async function surveyHosts(
  survey: (visit: (host: SurveyedHost) => void) => Promise<void>,
  version: string,
): Promise<HostTroubles> {
  const troubles = { offline: [], rivals: [], drifted: [], clocks: [], old: [] } as Record<HostList, SurveyedHost[]>;
  let isUnsettled = false;
  await survey((host) => {
    if (host.state === "revoked") return;
    if (host.state === "unknown") isUnsettled = true;
    if (host.rival !== undefined) troubles.rivals.push(host);
    else if (host.state === "offline") troubles.offline.push(host);
    else if (host.state === "online" && Math.abs(host.skewMs ?? 0) > overviewLimits.clockMs) troubles.clocks.push(host);
    // What a host that is away had to say of itself still stands.
    if (host.drift !== undefined) troubles.drifted.push(host);
    if (isOlderThan(host.agentVersion, version)) troubles.old.push(host);
  });
  return { ...troubles, isUnsettled };
}

type HostList = Exclude<keyof HostTroubles, "isUnsettled">;

function isOlderThan(version: string | undefined, ours: string): boolean {
  if (version === undefined || !versionPattern.test(version) || !versionPattern.test(ours)) return false;
  return compareVersions(version, ours) < 0;
}

const subjectOf = ({ id, name }: SurveyedHost) => ({ type: "node", id, name }) as const;

function sayOffline(host: SurveyedHost) {
  const line = host.address === undefined ? "It was not heard since the server's start." : `Last from ${host.address}.`;
  return { subject: subjectOf(host), title: `${host.name} is offline`, line, since: host.since };
}

function sayRival(host: SurveyedHost) {
  const { name, address = "an unknown address", rival } = host;
  const line = `Connections from ${address} and ${rival?.address ?? "another"} take each other's place.`;
  return { subject: subjectOf(host), title: `${name}: two machines, one identity`, line, since: rival?.at };
}

function sayDrift(host: SurveyedHost) {
  const parts = host.drift?.parts ?? 0;
  const line = `${parts === 1 ? "1 part is" : `${parts.toLocaleString("en-GB")} parts are`} not as a plan left ${parts === 1 ? "it" : "them"}. Its page can plan ${parts === 1 ? "it" : "them"} back.`;
  return {
    subject: subjectOf(host),
    title: `${host.name} differs from what was confirmed`,
    line,
    since: host.drift?.since,
  };
}

function sayClockOff(host: SurveyedHost) {
  const skewMs = host.skewMs ?? 0;
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const off = `${minutes === 1 ? "1 minute" : `${minutes.toLocaleString("en-GB")} minutes`} ${skewMs > 0 ? "ahead" : "behind"}`;
  const line = "An approval may be over there, or not begun, when it holds here. One of the two clocks is wrong.";
  return { subject: subjectOf(host), title: `${host.name}: its clock is ${off}`, line };
}

/** One line with a count: each of them wants the same plan. */
function sayOld(old: readonly SurveyedHost[], version: string): OverviewFindings {
  return cutFindings("old_agent", old.slice(0, 1), () => ({
    subject: { type: "server", id: "agents", name: "agents" } as const,
    title: `${old.length === 1 ? "1 agent is" : `${old.length.toLocaleString("en-GB")} agents are`} older than this server's ${version}`,
    line: `${nameSome(old)}. A plan updates them.`,
  }));
}

function nameSome(hosts: readonly SurveyedHost[]): string {
  const named = hosts.slice(0, overviewLimits.namedHosts).map(({ name }) => name);
  const left = hosts.length - named.length;
  return `${named.join(", ")}${left === 0 ? "" : ` and ${left.toLocaleString("en-GB")} more`}`;
}
