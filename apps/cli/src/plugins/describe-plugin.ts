import { count, shortTime } from "@gatehouse/command-line";
import type { Plugin } from "@gatehouse/contract/routes";
import { capabilityLines } from "./describe-capabilities.ts";
import { runtimeLines } from "./describe-runtime.ts";
import { fieldLine, listOr } from "./field-lines.ts";

/** What an operator confirms before moving a plugin (contract 3.3): identity, version, publisher, digest, capabilities. */
export function linesOfPlugin(plugin: Plugin): string[] {
  return [
    fieldLine("name", plugin.name),
    fieldLine("publisher", `${plugin.publisher}, signed with ${listOr(plugin.signers, "no key")}`),
    fieldLine("artifact", `sha256 ${plugin.artifactSha256}, ${count(plugin.artifactSize, "byte")}`),
    ...capabilityLines(plugin.capabilities),
    ...(plugin.egressHosts.length === 0 ? [] : [fieldLine("hosts", plugin.egressHosts.join(" "))]),
  ];
}

/** Everything else that is known about it. */
export function pluginStateLines(plugin: Plugin): string[] {
  const { change, history } = plugin;
  return [
    ...plugin.contributions.map(({ kind, component, title, path, surface, visible, reason, detail }) => {
      const why = [reason ?? "hidden", ...(detail === undefined ? [] : [detail])].join(": ");
      const words = [component, title, path ?? surface, `(${visible ? "visible" : why})`];
      return fieldLine(kind, words.filter((word) => word !== null).join(" "));
    }),
    ...runtimeLines(plugin),
    fieldLine("bundle", plugin.available ? "loaded at the last start" : "was not there at the last start"),
    ...(plugin.expiresAt === null ? [] : [fieldLine("expires", shortTime(plugin.expiresAt))]),
    ...(change === undefined ? [] : changeLines(change)),
    ...timeLines(plugin),
    ...history.map(({ version, status, closedAt, reason }) =>
      fieldLine("before", `${version}, ${status} until ${shortTime(closedAt)}: ${reason}`),
    ),
    fieldLine("can become", listOr(plugin.moves, "nothing else now")),
  ];
}

function changeLines(change: NonNullable<Plugin["change"]>): string[] {
  const { from, to, addedCapabilities: added, removedCapabilities: removed, downgrade } = change;
  return [
    fieldLine(
      "changed",
      `from ${from.version} to ${to.version}${downgrade ? ", BELOW a version that was accepted" : ""}`,
    ),
    fieldLine("", `from sha256 ${from.artifactSha256}`),
    ...(added.length === 0 ? [] : [fieldLine("", `now also asks for ${added.join(" ")}`)]),
    ...(removed.length === 0 ? [] : [fieldLine("", `no longer asks for ${removed.join(" ")}`)]),
  ];
}

function timeLines(plugin: Plugin): string[] {
  const times = [
    ["verified", plugin.verifiedAt],
    ["installed", plugin.installedAt],
    ["activated", plugin.activatedAt],
    ["disabled", plugin.disabledAt],
  ] as const;
  return times.flatMap(([name, at]) => (at === null ? [] : [fieldLine(name, shortTime(at))]));
}
