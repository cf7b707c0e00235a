/**
 * Groups of files that name each other in a circle, each after the groups it names (Tarjan). A file in no circle is a group
 * of its own. The order of `names` decides the order of the answer, so that a build can be repeated.
 */
export function findGroups(names: readonly string[], namedBy: (name: string) => readonly string[]): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];

  const visit = (name: string): number => {
    const at = order.size;
    order.set(name, at);
    low.set(name, at);
    open.push(name);
    for (const next of namedBy(name)) {
      if (!order.has(next)) low.set(name, Math.min(low.get(name) ?? at, visit(next)));
      else if (open.includes(next)) low.set(name, Math.min(low.get(name) ?? at, order.get(next) ?? at));
    }
    const lowest = low.get(name) ?? at;
    if (lowest === at) groups.push(open.splice(open.indexOf(name)).sort());
    return lowest;
  };

  for (const name of names) if (!order.has(name)) visit(name);
  return groups;
}
