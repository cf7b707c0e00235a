import type { Node } from "../../api/nodes.ts";
import type { SelectOption } from "../../ui/Select.tsx";

/** What a draft may be asked for at once. */
const mostNodes = 500;
/** More than this is no list that anybody reads: then a tag chooses. */
const mostNamed = 200;

type Choosable = Pick<Node, "id" | "name" | "tags" | "state">;

/** For which nodes a plan can be asked: all of them, those of a tag, or one. Revoked ones take no plans. */
export function nodeChoices(nodes: readonly Choosable[]): SelectOption[] {
  const live = nodes.filter(isLive);
  const counted = (count: number) => ({
    count: count.toLocaleString("en-GB"),
    disabled: count === 0 || count > mostNodes,
  });
  const option = (value: string, words: string, { count, disabled }: ReturnType<typeof counted>) => ({
    value,
    label: `${words} (${count})`,
    disabled,
  });
  const tags = [...new Set(live.flatMap(({ tags }) => tags))].toSorted();
  return [
    { value: "", label: "No node" },
    option("all", "All nodes", counted(live.length)),
    ...tags.map((tag) =>
      option(`tag:${tag}`, `With the tag ${tag}`, counted(live.filter(({ tags }) => tags.includes(tag)).length)),
    ),
    ...(live.length > mostNamed ? [] : live.map(({ id, name }) => ({ value: id, label: name }))),
  ];
}

export function chosenNodes<Item extends Choosable>(nodes: readonly Item[], choice: string): Item[] {
  const live = nodes.filter(isLive);
  if (choice === "all") return live;
  const tag = choice.startsWith("tag:") ? choice.slice("tag:".length) : undefined;
  return live.filter(({ id, tags }) => (tag === undefined ? id === choice : tags.includes(tag)));
}

function isLive({ state }: Choosable): boolean {
  return state !== "revoked";
}
