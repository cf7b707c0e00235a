import { isFault } from "@gatehouse/contract";
import { describeResult, type MapLine } from "@gatehouse/contract/broker";
import { type KnownAnswer, mapLinesRoute, type PluginLines } from "@gatehouse/contract/routes";
import { type Principal, type Route, route, type SeenNodes } from "../../platform/route/index.ts";
import { type ActivePlugin, type Lifecycle, visibleContributions } from "../plugin-lifecycle/index.ts";

export interface PluginLinesDeps {
  readonly lifecycle: Pick<Lifecycle, "activePlugins">;
  /** What a plugin last said of itself; what is too old is asked again behind the reader's back. */
  readonly look: (id: string) => Promise<{ readonly describe: KnownAnswer }>;
}

interface SaidLines {
  /** Another activation says its own lines. */
  readonly activation: string;
  readonly at: string | null;
  readonly lines: readonly MapLine[];
}

/** Lines of active first-party plugins between nodes that the caller may see (contract 3.2). They go with the plugin. */
export function openPluginLines({ lifecycle, look }: PluginLinesDeps): readonly Route[] {
  const said = new Map<string, SaidLines>();

  const linesOf = async ({ record }: ActivePlugin, seen: SeenNodes): Promise<PluginLines[]> => {
    const describe = await lookAt(look, record.id);
    if (describe === undefined) return [];
    const activation = `${record.payloadSha256} ${record.activatedAt}`;
    const answer =
      describe.state === "answered" ? { activation, at: describe.at, lines: readLines(describe) } : undefined;
    const last = answer ?? said.get(record.id);
    const good = last?.activation === activation ? last : undefined;
    if (good !== undefined) said.set(record.id, good);
    const { id: plugin, name, version } = record;
    const lines = (good?.lines ?? []).filter(({ from, to }) => seen.has(from) && seen.has(to));
    return [{ plugin, name, version, answeredAt: good?.at ?? null, trouble: describe.reason, lines: [...lines] }];
  };

  return [
    route(mapLinesRoute, ({ principal, nodes }) =>
      nodes.answer(async (seen) => {
        const active = await lifecycle.activePlugins();
        const ids = new Set(active.map(({ record }) => record.id));
        for (const id of said.keys()) if (!ids.has(id)) said.delete(id);
        const drawing = active.filter((plugin) => mayDraw(plugin, principal));
        const items = await Promise.all(drawing.map((plugin) => linesOf(plugin, seen)));
        return { items: items.flat(), nextCursor: null };
      }),
    ),
  ];
}

function mayDraw({ record, facts }: ActivePlugin, { scopes }: Principal): boolean {
  return visibleContributions(record, facts, scopes).some(({ surface }) => surface === "fleet.map");
}

async function lookAt(look: PluginLinesDeps["look"], id: string): Promise<KnownAnswer | undefined> {
  try {
    return (await look(id)).describe;
  } catch (error) {
    // It was disabled while this was read.
    if (isFault(error, "plugin.not_active") || isFault(error, "plugin.unknown")) return undefined;
    throw error;
  }
}

function readLines({ result }: KnownAnswer): readonly MapLine[] {
  return describeResult.parse(result).mapLines ?? [];
}
