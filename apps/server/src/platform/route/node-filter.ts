import { fault } from "@gatehouse/contract";

/** The nodes that a caller may see. */
export interface SeenNodes {
  readonly isEvery: boolean;
  readonly has: (node: string) => boolean;
}

/** An answer and the filter that made it. The class stays in this file: nobody else can make one (see `NodeFilter`). */
class FilteredAnswer<Data> {
  readonly #by: NodeFilter;
  readonly #data: Data;

  constructor(by: NodeFilter, data: Data) {
    this.#by = by;
    this.#data = data;
  }

  dataFor(filter: NodeFilter): Data {
    if (this.#by === filter) return this.#data;
    throw new Error("the answer was filtered for another call");
  }
}

export type Filtered<Data> = FilteredAnswer<Data>;

/**
 * Which nodes one call may speak of. The handler of a filtered row gets it in the place of the node set, and the edge sends
 * nothing of such a row but what this very filter made: an answer that forgot the nodes, or was made for somebody else,
 * does not leave.
 */
export class NodeFilter {
  readonly #own: ReadonlySet<string> | undefined;

  /** Undefined means every node. */
  constructor(own: ReadonlySet<string> | undefined) {
    this.#own = own;
  }

  /** Makes the answer, in the sight of the nodes that the caller may see. */
  async answer<Data>(make: (seen: SeenNodes) => Data | Promise<Data>): Promise<Filtered<Data>> {
    const own = this.#own;
    const seen = { isEvery: own === undefined, has: (node: string) => own === undefined || own.has(node) };
    return new FilteredAnswer(this, await make(seen));
  }

  /** Refuses a caller that is limited to some nodes, for what concerns more than those. */
  requireEvery(): void {
    if (this.#own === undefined) return;
    throw fault("auth.node_limited", "the credential is limited to some nodes, and this concerns more than those");
  }

  /** What the edge may send of what a handler gave. Anything that this filter did not make is a defect. */
  dataOf(given: unknown): unknown {
    if (given instanceof FilteredAnswer) return given.dataFor(this);
    throw new Error("the handler of a filtered row gave an answer that no filter made");
  }
}
