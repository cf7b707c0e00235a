/**
 * Route: what a feature hands to the edge: a row of the contract and the function that answers it or takes its socket, and who is asking.
 * Never reads a socket and never decides access; the edge does both before a handler runs.
 */
export { actorOf } from "./actor.ts";
export { entryOf } from "./entry.ts";
export type {
  Authenticate,
  Credential,
  CredentialFacts,
  FoundPrincipal,
  Principal,
  RequestFacts,
  WatchPrincipal,
} from "./principal.ts";
export { type Filtered, NodeFilter, type SeenNodes } from "./node-filter.ts";
export { recordReply, versionOfTag } from "./record-reply.ts";
export { ByteReply, Reply, type ReplyHeaders, type Sink, StreamReply } from "./reply.ts";
export { type Answer, type BodyStream, type Call, type CheckedCall, type Route, route } from "./route.ts";
export type { SocketCall, SocketConnection, SocketRoute } from "./socket.ts";
