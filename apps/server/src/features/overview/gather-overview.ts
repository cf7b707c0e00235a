import {
  type OverviewArea,
  type OverviewKind,
  overviewKindNames,
  overviewKinds,
  sayOverviewCount,
} from "@gatehouse/contract";
import { isFault } from "@gatehouse/contract";
import type { Overview, OverviewList } from "@gatehouse/contract/routes";
import type { Log } from "../../platform/log/index.ts";
import { makeOverviewItem, type OverviewAsker, type OverviewFindings, type OverviewSource } from "./overview-source.ts";

/** Asks every source of which the asker may see something, and puts what they found in the order of the kinds. */
export async function gatherOverview(
  { sources, log }: { readonly sources: readonly OverviewSource[]; readonly log: Pick<Log, "warn"> },
  asker: OverviewAsker,
): Promise<Overview> {
  const allowed = new Set(overviewKindNames.filter((kind) => maySeeKind(kind, asker)));
  const asked = sources.filter(({ kinds }) => kinds.some((kind) => allowed.has(kind)));
  const read = await Promise.all(asked.map((source) => readSource(source, asker, log)));
  const found = read
    .flat()
    .filter(({ kind }) => allowed.has(kind))
    .map((one) => withoutUnseen(one, asker));
  const listOf = (area: OverviewArea): OverviewList => listArea(area, found);
  return {
    at: new Date(asker.now).toISOString(),
    broken: listOf("broken"),
    waiting: listOf("waiting"),
    changing: listOf("changing"),
    unseen: overviewKindNames.filter((kind) => !allowed.has(kind)),
  };
}

function maySeeKind(kind: OverviewKind, { principal, seen }: OverviewAsker): boolean {
  const { scopes, nodes } = overviewKinds[kind];
  return scopes.every((scope) => principal.scopes.has(scope)) && (nodes !== "every" || seen.isEvery);
}

/** A source that fails is something broken: what it would have said is not known, and that is no good news. */
async function readSource(
  source: OverviewSource,
  asker: OverviewAsker,
  log: Pick<Log, "warn">,
): Promise<readonly OverviewFindings[]> {
  try {
    return await source.read(asker);
  } catch (error) {
    const cause = error instanceof Error ? error.message : "unknown";
    log.warn("a part of the overview could not be read", { part: source.about, cause });
    const why = isFault(error) ? error.detail : "the server's log has more";
    const item = makeOverviewItem("unread", {
      subject: { type: "server", id: source.about, name: source.about },
      title: `The ${source.about} could not be read`,
      line: `This could not be read: ${why}. What is broken there is not known.`,
    });
    return [{ kind: "unread", items: [item], more: 0 }];
  }
}

/** Sources cut to the asker's nodes; what they forgot does not leave. */
function withoutUnseen({ kind, items, more }: OverviewFindings, { seen }: OverviewAsker): OverviewFindings {
  return { kind, more, items: items.filter(({ subject }) => subject.type !== "node" || seen.has(subject.id)) };
}

function listArea(area: OverviewArea, found: readonly OverviewFindings[]): OverviewList {
  const kinds = overviewKindNames.filter((kind) => overviewKinds[kind].area === area);
  const ofKind = (kind: OverviewKind) => found.filter((one) => one.kind === kind);
  return {
    items: kinds.flatMap((kind) => ofKind(kind).flatMap(({ items }) => items)),
    more: kinds.flatMap(ofKind).reduce((sum, { more }) => sum + more, 0),
    counts: kinds.flatMap((kind) => {
      const count = ofKind(kind).reduce((sum, { items, more }) => sum + items.length + more, 0);
      return count === 0 ? [] : [{ kind, count, says: sayOverviewCount(kind, count) }];
    }),
  };
}
