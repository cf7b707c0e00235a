import type { AlertNodes } from "@gatehouse/contract";

type Names = ReadonlyMap<string, string>;

/** Which hosts a rule or a silence is about: "all hosts", "hosts with the tag edge or db", "fra1-edge-03". */
export function sayScope(appliesTo: AlertNodes, names: Names): string {
  if ("all" in appliesTo) return "all hosts";
  if ("tags" in appliesTo) {
    const [first, ...others] = appliesTo.tags;
    return others.length === 0
      ? `hosts with the tag ${first}`
      : `hosts with one of the tags ${appliesTo.tags.join(", ")}`;
  }
  const [first = "", ...others] = appliesTo.nodes;
  const name = names.get(first) ?? first;
  if (others.length === 0) return name;
  return `${name} and ${others.length} more ${others.length === 1 ? "host" : "hosts"}`;
}
