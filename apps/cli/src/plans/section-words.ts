import {
  diffOperation,
  type HostWork,
  type Operation,
  operationTitle,
  subjectOf,
  usualPlaces,
  wordsOf,
  workOfOperation,
} from "@gatehouse/plan";
import { sha256Of } from "../sha256-of.ts";
import type { CheckedSection } from "./check-section.ts";
import { findPeerHosts, type HostKeys, type PeerHosts } from "./peer-hosts.ts";

/** An operation as it is read here, of the checked document and of what the host signed. The server's own words are never shown. */
export interface ReadOperation {
  readonly kind: string;
  readonly head: string;
  readonly words: readonly string[];
  /** Whose keys it lets in. */
  readonly peers: readonly PeerHosts[];
  readonly diff: ReturnType<typeof diffOperation>;
  /** What a host writes and starts for it, as `gatehouse-agent helper explain` says it there. */
  readonly work: HostWork;
}

export function readSection({ section, host }: CheckedSection, hostKeys: HostKeys): ReadOperation[] {
  return section.operations.map((operation, index) => ({
    kind: operation.kind,
    head: operationTitle(operation, index),
    words: wordsOf(operation),
    peers: findPeerHosts(operation, hostKeys),
    diff: diffOperation(operation, stateBefore(operation, host), sha256Of),
    work: workOfOperation(operation, usualPlaces),
  }));
}

function stateBefore(operation: Operation, host: CheckedSection["host"]): unknown {
  const subject = subjectOf(operation);
  return host?.states.find((one) => one.subject === subject)?.state;
}
