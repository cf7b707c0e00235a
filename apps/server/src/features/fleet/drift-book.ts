/** What was last heard of a node's drift in this process, though nothing of it was news: a look each hour is no record. */
export interface DriftBook {
  heard(nodeId: string, look: HeardLook): void;
  find(nodeId: string): HeardLook | undefined;
  /** The node is no more. */
  forget(nodeId: string): void;
}

export interface HeardLook {
  /** An older message than this one is no news. */
  readonly number: number;
  readonly receivedAt: number;
  readonly watched: number;
}

/** One entry for each node that has a record: nothing else is verified, and so nothing else comes here. */
export function openDriftBook(): DriftBook {
  const looks = new Map<string, HeardLook>();
  return {
    heard: (nodeId, look) => void looks.set(nodeId, look),
    find: (nodeId) => looks.get(nodeId),
    forget: (nodeId) => void looks.delete(nodeId),
  };
}
