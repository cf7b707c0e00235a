/** Whose name stands for the sources of a node that a part does not know by theirs; no source of a host is named so. */
export const otherSources = "(others)";

/** Four times as many as root of a host may name at once: names change, and those of before are in the same part. */
const mostSources = 64;

/**
 * Which sources of a node a part knows by name. A host that makes up names would have each of them kept, counted and told of: what is
 * beyond this many is kept as that of one.
 */
export class NodeSources {
  readonly #known = new Map<string, Set<string>>();

  constructor(known: Iterable<readonly [node: string, source: string]>) {
    for (const [node, source] of known) this.#of(node).add(source);
  }

  nameOf(node: string, source: string): string {
    const names = this.#of(node);
    if (names.has(source)) return source;
    if (names.size >= mostSources) return otherSources;
    names.add(source);
    return source;
  }

  #of(node: string): Set<string> {
    const names = this.#known.get(node) ?? new Set();
    this.#known.set(node, names);
    return names;
  }
}
