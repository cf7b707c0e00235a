import type { Plugin } from "@gatehouse/contract/routes";
import type { State } from "../../ui/StateMark.tsx";

/** The filter of the list that shows a plugin: what needs a decision, what needs help, what runs, what is off. */
export type PluginFilter = "waiting" | "failing" | "active" | "off";

export interface PluginSummary {
  readonly filter: PluginFilter;
  readonly state: State;
  readonly word: string;
  /** Why, in a sentence; `null` when the word says it all. */
  readonly cause: string | null;
  /** What somebody can do next, with its object; `null` when there is nothing to do. */
  readonly next: string | null;
}

/** One word, one cause and one next step for every state a record can be in. The worst is said first. */
export function summaryOf(plugin: Plugin): PluginSummary {
  const { status, available, version, moves } = plugin;
  if (status === "active") return activeSummary(plugin);
  if (!available) return { filter: "off", state: "off", word: "Not loaded", cause: whyNotLoaded(plugin), next: null };
  const next = moves.includes("installed")
    ? `Accept ${version}`
    : moves.includes("active")
      ? `Activate ${version}`
      : null;
  if (status === "verified") {
    const { change } = plugin;
    if (change === undefined)
      return { filter: "waiting", state: "wait", word: "Verified", cause: "Not accepted yet", next };
    const word = change.downgrade ? "Older digest" : "New digest";
    return { filter: "waiting", state: "wait", word, cause: `${change.from.version} is closed; nothing runs`, next };
  }
  if (status === "installed") {
    return { filter: "waiting", state: "wait", word: "Accepted", cause: "Not activated; nothing runs", next };
  }
  if (plugin.runtime.state === "failed") {
    return {
      filter: "failing",
      state: "bad",
      word: "Failed",
      cause: plugin.runtime.message ?? "It could not be armed",
      next,
    };
  }
  return { filter: "off", state: "quiet", word: "Disabled", cause: null, next };
}

function activeSummary(plugin: Plugin): PluginSummary {
  const { runtime, available } = plugin;
  const failing = { filter: "failing", next: "Read its errors" } as const;
  if (!available)
    return { ...failing, state: "off", word: "Not loaded", cause: whyNotLoaded(plugin), next: "Place it again" };
  if (runtime.state !== "armed") {
    return { ...failing, state: "bad", word: "Not running", cause: runtime.message ?? "Its runtime is not armed" };
  }
  const { breaker, failuresInARow: failures } = runtime;
  if (breaker === "open") {
    return { ...failing, state: "bad", word: "Failing", cause: `Breaker open after ${failures} failures in a row` };
  }
  if (breaker === "half-open") {
    return {
      ...failing,
      state: "warn",
      word: "Failing",
      cause: `${failures} failures in a row; the next call is a trial`,
    };
  }
  if (failures > 0) {
    const cause = failures === 1 ? "Its last call failed" : `${failures} failures in a row`;
    return { ...failing, state: "warn", word: "Failing", cause };
  }
  return { filter: "active", state: "ok", word: "Active", cause: null, next: null };
}

function whyNotLoaded({ runtime }: Plugin): string {
  return runtime.message ?? "Its bundle was not in the plugin directory at the last start";
}

/** The first twelve characters in groups of four: enough to tell two digests apart, never enough to decide on. */
export function shortDigest(hex: string): string {
  return (hex.slice(0, 12).match(/.{4}/g) ?? []).join(" ");
}

/** What the loader says about a bundle, taken apart where it has the form "lead: expected this, found that". */
export function splitExpectation(detail: string): { lead: string | null; expected: string; found: string } | null {
  const begins = detail.startsWith("expected ") ? 0 : detail.indexOf(": expected ");
  const ends = detail.indexOf(", found ", begins);
  if (begins < 0 || ends < 0) return null;
  const lead = begins === 0 ? null : detail.slice(0, begins);
  const expected = detail.slice(detail.indexOf("expected ", begins) + "expected ".length, ends);
  return { lead, expected, found: detail.slice(ends + ", found ".length) };
}
