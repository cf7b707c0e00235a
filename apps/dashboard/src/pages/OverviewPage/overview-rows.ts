import type { OverviewItem, OverviewList } from "../../api/overview.ts";
import type { State } from "../../ui/StateMark.tsx";
import { hrefOf, listHref, markOf } from "./overview-places.ts";

export interface OverviewRow {
  readonly key: string;
  readonly state: State;
  readonly word: string;
  readonly title: string;
  readonly line: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly href: string | undefined;
}

const mostNames = 3;

/** One row for each. More rows than `mostRows` hide each other: then what is alike is one of them. */
export function rowsOf({ items, more, counts }: OverviewList, mostRows: number): readonly OverviewRow[] {
  if (items.length + more <= mostRows) return items.map(rowOf);
  return counts.flatMap(({ kind, count, says }) => {
    const alike = items.filter((item) => item.kind === kind);
    const [first] = alike;
    if (first === undefined || count === 1) return alike.map(rowOf);
    const names = alike.slice(0, mostNames).map(({ subject }) => subject.name);
    const left = count - names.length;
    return [
      {
        ...rowOf(first),
        key: kind,
        title: says,
        line: `${names.join(", ")}${left === 0 ? "" : ` and ${left.toLocaleString("en-GB")} more`}.`,
        since: newestOf(alike),
        until: alike.reduce(
          (least, { until }) => (until !== null && until < (least ?? "~") ? until : least),
          first.until,
        ),
        href: listHref(kind),
      },
    ];
  });
}

function newestOf(items: readonly OverviewItem[]): string | null {
  return (
    items
      .flatMap(({ since }) => since ?? [])
      .sort()
      .at(-1) ?? null
  );
}

function rowOf(item: OverviewItem): OverviewRow {
  const { kind, subject, word, title, line, since, until } = item;
  const key = `${kind} ${subject.id}`;
  return { key, state: markOf(kind), word, title, line, since, until, href: hrefOf(item) };
}
