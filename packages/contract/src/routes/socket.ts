import type * as z from "zod";
import type { Access } from "./route.ts";

/**
 * Who may open a socket that people use: as for a route, without the bodies that a socket does not have. Only a browser's
 * own page opens it: the edge wants its exact origin whatever the row says.
 */
export type BrowserAccess = Exclude<Access, { readonly kind: "public" | "metrics-token" }> & {
  readonly lowers?: never;
};

interface SocketFacts {
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Largest message in bytes that the other side may send; a larger one closes the socket with 1009. */
  readonly maxFrame: number;
  /** Must be offered by the client, and is the one that is spoken. */
  readonly subprotocol?: string;
}

/** A socket of agents. They show no credential with the request: the hello on the socket is the credential. */
export interface AgentSocketSpec extends SocketFacts {
  readonly from: "agent";
  readonly access: { readonly kind: "agent" };
}

export interface BrowserSocketSpec extends SocketFacts {
  readonly from: "browser";
  readonly access: BrowserAccess;
}

/** One WebSocket as a stranger sees it: a GET that changes the protocol. `access` is required, as on every route. */
export type SocketSpec = AgentSocketSpec | BrowserSocketSpec;
