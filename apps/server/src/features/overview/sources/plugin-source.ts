import type { BundleRejection, Plugin } from "@gatehouse/contract/routes";
import { overviewLimits } from "../limits.ts";
import { cutFindings, type OverviewSource, type SaidItem } from "../overview-source.ts";
import { sayDecision } from "./say-decision.ts";

export interface PluginSourceDeps {
  readonly listPlugins: () => Promise<readonly Plugin[]>;
  readonly rejections: readonly BundleRejection[];
}

export function pluginSource({ listPlugins, rejections }: PluginSourceDeps): OverviewSource {
  return {
    about: "plugins",
    kinds: ["plugin", "bundle", "decision", "bundle_expiring"],
    read: async ({ now }) => {
      const plugins = await listPlugins();
      const ending = plugins
        .filter(({ available, expiresAt }) => available && isNear(expiresAt, now))
        .toSorted((a, b) => endOf(a) - endOf(b));
      return [
        cutFindings("plugin", plugins.flatMap(withFailure), sayFailing),
        cutFindings("bundle", rejections, sayRejected),
        cutFindings("decision", plugins.filter(isWaiting), sayDecision),
        cutFindings("bundle_expiring", ending, (plugin) => sayEnding(plugin, now)),
      ];
    },
  };
}

/** Nothing of it runs, and somebody has to say whether it is to. */
function isWaiting({ status, available }: Plugin): boolean {
  return available && (status === "verified" || status === "installed");
}

interface FailingPlugin {
  readonly plugin: Plugin;
  readonly how: string;
  readonly why: string;
}

function withFailure(plugin: Plugin): readonly FailingPlugin[] {
  const found = findFailure(plugin);
  return found === undefined ? [] : [{ plugin, ...found }];
}

/** As the list of plugins judges them, so that a count leads to as many. */
function findFailure({ status, available, runtime }: Plugin): Omit<FailingPlugin, "plugin"> | undefined {
  const { breaker, failuresInARow: failures, message, state } = runtime;
  if (status !== "active") {
    const isFailed = status === "disabled" && available && state === "failed";
    return isFailed ? { how: "failed", why: message ?? "It could not be armed" } : undefined;
  }
  if (!available) return { how: "is not loaded", why: message ?? "Its bundle was not there at the last start" };
  if (state !== "armed") return { how: "is not running", why: message ?? "Its runtime is not armed" };
  if (breaker === "open") return { how: "fails", why: `Breaker open after ${failures} failures in a row` };
  if (breaker === "half-open") return { how: "fails", why: `${failures} failures in a row; the next call is a trial` };
  if (failures > 0)
    return { how: "fails", why: failures === 1 ? "Its last call failed" : `${failures} failures in a row` };
  return undefined;
}

function sayFailing({ plugin, how, why }: FailingPlugin): SaidItem {
  const last = plugin.runtime.lastErrors[0];
  return {
    subject: { type: "plugin", id: plugin.id, name: plugin.name },
    title: `${plugin.name} ${how}`,
    line: [why, ...(last === undefined ? [] : [`Last, ${last.action}: ${last.reason}`])].join(". "),
    since: Date.parse(last?.at ?? plugin.disabledAt ?? plugin.updatedAt),
  };
}

function sayRejected({ name, detail, rejectedAt }: BundleRejection): SaidItem {
  return {
    subject: { type: "bundle", id: name, name },
    title: `${name} rejected`,
    line: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}. Not loaded.`,
    since: Date.parse(rejectedAt),
  };
}

function isNear(expiresAt: string | null, now: number): boolean {
  return expiresAt !== null && Math.abs(Date.parse(expiresAt) - now) <= overviewLimits.keyMs;
}

function endOf({ expiresAt }: Plugin): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}

function sayEnding(plugin: Plugin, now: number): SaidItem {
  const until = endOf(plugin);
  return {
    subject: { type: "plugin", id: plugin.id, name: plugin.name },
    title: `${plugin.name} ${plugin.version}: its bundle ${until <= now ? "has ended" : "ends"}`,
    line: "It is not loaded at a start after that. Place one that its publisher signed anew.",
    until,
  };
}
