import type { SocketSpec } from "@gatehouse/contract/routes";
import type { NodeFilter } from "./node-filter.ts";
import type { Principal, RequestFacts } from "./principal.ts";

/**
 * One open WebSocket, as a feature has it. There may be ten thousand: a feature gives one function for messages and one for the
 * end, and keeps the rest of what it knows in its own maps.
 */
export interface SocketConnection {
  /** Of the request that opened it. */
  readonly facts: RequestFacts;
  /** Nothing happens after the end. Whoever sends much looks at `queued` first; one who reads too little is cut. */
  send(data: string | Uint8Array): void;
  /** Bytes that were sent here and that the other side has not taken yet. */
  queued(): number;
  /** Text is a string, everything else bytes. Nothing comes any more once the socket is being closed from here. */
  onMessage(hear: (data: string | Uint8Array) => void): void;
  /** Once, whoever ended it; 1006 where the connection was lost. */
  onClose(hear: (code: number) => void): void;
  /** Says why and ends it; cut when the other side does not answer in time. */
  close(code: number, reason: string): void;
  /** Ends it now. */
  cut(): void;
  /** The hello was good: the edge stops counting the connection among those that have to prove themselves. */
  admitted(): void;
}

/** A request for a socket as the edge hands it over: judged by the row. */
export interface SocketCall {
  /** Whoever opens it; undefined for an agent, whose hello comes later. */
  readonly principal: Principal | undefined;
  /** For filtered rows, which answer through it. */
  readonly nodes: NodeFilter | undefined;
  /** Both checked by the row's own schemas. */
  readonly params: unknown;
  readonly query: unknown;
  readonly request: RequestFacts;
}

export interface SocketRoute {
  readonly spec: SocketSpec;
  /**
   * The last who may refuse with a problem, before the protocol changes. A filtered row must have it and answer through the
   * filter of the call, as a route does.
   */
  readonly admit?: (call: SocketCall) => unknown;
  /** Runs in one step with the change of protocol: no message is lost before `onMessage` is called in it. */
  readonly open: (connection: SocketConnection, call: SocketCall) => void;
}
