import { type Edit, editsIn } from "../edit.ts";

const geo = "apps/server/src/features/geo";

/** The map: where nodes are, and lines between them (contract 3.2 and 5.1). */
export const geoEdits: readonly Edit[] = [
  ...editsIn("packages/contract/src/settings/settings.ts", [
    { id: "5.1-7", old: 'default: "https://ipwho.is/{ip}"', new: 'default: "off"', by: "needs no token" },
  ]),
  ...editsIn(`${geo}/lookup-service.ts`, [
    {
      id: "5.1-8",
      old: 'if (template === "off") return undefined;',
      new: 'if (template === "off") return lookupServiceOf("https://127.0.0.1:9/{ip}");',
      by: "disables external lookups",
    },
    {
      id: "5.1-8b",
      old: 'template.replaceAll("{ip}", encodeURIComponent(address))',
      new: "`https://127.0.0.1:9/${address}`",
      by: "a self-hosted provider",
    },
  ]),
  ...editsIn(`${geo}/view-places.ts`, [
    {
      id: "5.1-9",
      old: "shown: viewByHand(node) ?? chooseAddress(node)",
      new: "shown: chooseAddress(node)",
      by: "manual coordinates",
    },
  ]),
  ...editsIn(`${geo}/choose-address.ts`, [
    {
      id: "1-19",
      old: "if (chosen !== undefined) return",
      new: "if (chosen === one) continue; else return",
      by: "because somebody looks",
    },
  ]),
  ...editsIn("apps/dashboard/src/pages/MapPage/join-places.ts", [
    { id: "1-19b", old: "else site.nodes.push(node);", new: "else continue;", by: "hosts of one place" },
  ]),
  ...editsIn("apps/server/src/features/plugin-ui/plugin-lines.ts", [
    { id: "3.2-5b", old: "seen.has(from) && seen.has(to)", new: "from === to", by: "because somebody looks" },
    {
      id: "3.2-6",
      old: 'surface === "fleet.map"',
      new: 'surface !== "fleet.map"',
      by: "disappear when it is disabled",
    },
    {
      id: "3.2-6b",
      old: "active.filter((plugin) => mayDraw(plugin, principal))",
      new: "active.filter((plugin) => principal.id !== plugin.record.id)",
      by: "is not first-party",
    },
  ]),
];
