import type { Scope, TokenClass } from "@gatehouse/contract";

/** Whoever a credential was found to belong to. Which nodes it is for is the gate's concern: no handler reads that here. */
export interface Principal {
  /** The user's id; the audit log's actor is made from it. */
  readonly id: string;
  /** `session` is a browser's cookie and can step up; `token` never can. */
  readonly credential: { readonly kind: "session" | "token"; readonly id: string; readonly class?: TokenClass };
  /** What the credential holds at this moment, already cut to what its owner holds. */
  readonly scopes: ReadonlySet<Scope>;
  /** When the person last proved who they are, in milliseconds since 1970. */
  readonly authenticatedAt: number;
}

/** What the look-up finds, for the gate. */
export interface FoundPrincipal {
  readonly principal: Principal;
  /** The only nodes it may touch or see; absent means every node. */
  readonly nodes?: ReadonlySet<string>;
}

/** What the edge knows about a request before anything was decided about it. */
export interface RequestFacts {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The real client's address (contract 4.3), for limits and the audit log. */
  readonly clientAddress: string;
  /** Milliseconds since 1970, the same for the whole request. */
  readonly now: number;
}

export type Credential =
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "cookie"; readonly value: string };

export interface CredentialFacts extends RequestFacts {
  readonly credential: Credential;
}

/** Finds whose credential it is; undefined for one that is unknown, expired or revoked. */
export type Authenticate = (facts: CredentialFacts) => Promise<FoundPrincipal | undefined> | FoundPrincipal | undefined;

/**
 * Calls back when the principal loses its credential or a scope, so that its streams end; at once if that has already
 * happened. Returns the way to stop.
 */
export type WatchPrincipal = (principal: Principal, onRevoked: () => void) => () => void;
