import { editsIn } from "../edit.ts";

const lifecycle = "apps/server/src/features/plugin-lifecycle";

const held = "held.set(id, { armed, bundle, ledger: new Ledger(clock) });";
const listArmed = "const found = await Promise.all(runtime.armedIds()";
/** Three things keep a contribution from being shown; this lets every record that is loaded past all of them. */
const showAll = `const facts = { status: "active", isAvailable: true, isArmed: true, isFirstParty: true } as const;
      const all = await Promise.all([...bundles.accepted.keys()].map((id) => findPlugin(store, id)));
      if (all.length > 0) return all.flatMap((one) => (one === undefined ? [] : [{ record: one.value, facts }]));
      ${listArmed}`;

/** Contract 2.1, 3, 3.2, 3.3, 6 and 7: which moves there are, what each does, what is shown of a plugin. */
export const lifecycleEdits = [
  ...editsIn(`${lifecycle}/transitions.ts`, [
    { id: "1-4", old: 'verified: ["installed"],', new: 'verified: ["installed", "active"],', by: "skipping" },
    { id: "3.3-3", old: 'verified: ["installed"],', new: "verified: [],", by: "Activate" },
    { id: "3-5", old: '"active", "disabled"]', new: '"active"]', by: "stays registered" },
    { id: "3-8", old: 'disabled: ["active"],', new: "disabled: [],", by: "re-armed" },
    { id: "3-9", old: 'verified: ["installed"],', new: 'verified: ["installed", "active"],', by: "skipping" },
    { id: "3-10", old: 'active: ["disabled"],', new: 'active: ["disabled", "verified"],', by: "back to" },
    { id: "3-11", old: "return isAvailable ?", new: "return isAvailable || from ?", by: "no longer loaded" },
    { id: "3-12", old: 'disabled: ["active"],', new: 'disabled: ["active", "installed"],', by: "No other move" },
    {
      id: "3-12b",
      old: 'verified: ["installed"],',
      new: 'verified: ["installed", "disabled"],',
      by: "every other move",
    },
    { id: "7-4", old: '"go through `installed` first"', new: '"it cannot"', by: "skipping" },
  ]),
  ...editsIn(`${lifecycle}/request-transition.ts`, [
    { id: "2.1-2", old: "installedAt: now,\n      updatedAt", new: "updatedAt", by: "to `installed`" },
    { id: "3-1", old: 'status: "installed",\n', new: 'status: "verified",\n', by: "active again" },
    { id: "3-3", old: 'status: "installed",\n', new: 'status: "verified",\n', by: "to `installed`" },
    { id: "3-4", old: 'action: "plugin.activated",', new: 'action: "plugin.installed",', by: "armed; audited" },
    { id: "3-7b", old: "    return reason;\n", new: "    throw error;\n", by: "will not stop" },
    { id: "3.1-8", old: 'action: "plugin.installed",', new: 'action: "plugin.verified",', by: "to `installed`" },
    {
      id: "3.1-9",
      old: "deps.bundles.findLoaded(id)?.payloadSha256 === payloadSha256);",
      new: "true);",
      by: "present and pass",
    },
    { id: "3.1-18", old: 'status: "disabled", disabledAt', new: "disabledAt", by: "stays registered" },
    {
      id: "6-2",
      old: '      detail: { ...bytesOf(value), from: value.status, to: "active" },',
      new: '      outcome: "failed",\n      detail: { ...bytesOf(value), from: value.status, to: "active" },',
      by: "armed; audited",
    },
    {
      id: "6-2b",
      old: 'outcome: "failed",\n    record: disabled(',
      new: 'outcome: "done",\n    record: disabled(',
      by: "cannot arm it",
    },
    {
      id: "7-5",
      old: "    record: disabled(before.value, deps.clock.now(), reason),",
      new: "    record: before.value,",
      by: "cannot arm it",
    },
  ]),
  ...editsIn("apps/server/src/features/plugin-runtime/open-runtime.ts", [
    { id: "1-7", old: held, new: "", by: "armed; audited" },
    { id: "3-6", old: "    held.delete(id);\n", new: "", by: "detached" },
    { id: "3.3-4", old: held, new: "", by: "Activate" },
    { id: "3.3-6", old: "    held.delete(id);\n", new: "", by: "Remove" },
  ]),
  ...editsIn(`${lifecycle}/open-record.ts`, [
    { id: "3-2", old: 'status: "verified"', new: 'status: "installed"', by: "no record to" },
    { id: "3.3-1", old: "capabilities: [...manifest.capabilities],", new: "capabilities: [],", by: "Activate" },
  ]),
  ...editsIn(`${lifecycle}/contributions.ts`, [
    {
      id: "3.2-5",
      old: 'kind === "enhancement" ? !isFirstParty : !isOpen',
      new: 'kind === "nav" && !isOpen',
      by: "native surface",
    },
    {
      id: "2.4-2",
      old: '"nav" as const, ...nav,',
      new: '"nav" as const, ...nav, component: "netguard.firewall" as const,',
      by: "holds their scope",
    },
    {
      id: "3.1-7",
      old: 'if (status !== "active" || !isAvailable) return',
      new: "if (status === undefined) return",
      by: "no record to",
    },
    { id: "7-6", old: "scopes.has(contribution.scope) ?", new: "scopes.size >= 0 ?", by: "holds their scope" },
  ]),
  ...editsIn(`${lifecycle}/open-lifecycle.ts`, [
    { id: "3.2-1", old: listArmed, new: showAll, by: "active again" },
    { id: "3.2-2", old: listArmed, new: showAll, by: "no record to" },
    { id: "3.3-6b", old: listArmed, new: showAll, by: "Remove" },
  ]),
  ...editsIn(`${lifecycle}/reconcile.ts`, [
    { id: "2.1-1", old: 'return { kind: "open", bundle };', new: "return nothing;", by: "no record to" },
  ]),
  ...editsIn(`${lifecycle}/reconcile-at-start.ts`, [
    { id: "3.1-1", old: ", ...deps.bundles.accepted.keys()]", new: "]", by: "no record to" },
  ]),
  ...editsIn(`${lifecycle}/routes.ts`, [
    { id: "3.3-7", old: "loaded?.payloadSha256 === record.payloadSha256;", new: "true;", by: "Remove" },
  ]),
  ...editsIn("apps/server/src/features/plugin-ui/routes.ts", [
    { id: "2.4-1", old: "visibleContributions(record, facts, principal.scopes)", new: "[]", by: "holds their scope" },
  ]),
  ...editsIn("apps/server/src/edge/site.ts", [
    { id: "3.2-4", old: 'if (place === "page") return', new: 'if (path === "/plugins") return', by: "Remove" },
    { id: "3.3-8", old: 'if (place === "page") return', new: 'if (!path.startsWith("/apps/")) return', by: "Remove" },
  ]),
  ...editsIn("apps/dashboard/src/contributions/components.ts", [
    { id: "2.4-3", old: '  "wireguard.lines": "fleet.map",\n', new: "", by: "only keys of the fixed list" },
    {
      id: "3.2-3",
      old: "return isComponentKey(key) && components[key] !== null;",
      new: "return key in components;",
      by: "unknown component key",
    },
  ]),
];
