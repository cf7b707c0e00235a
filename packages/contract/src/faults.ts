import { Fault, type FaultKind } from "@gatehouse/base";
import { agentFaults } from "./agent-faults.ts";
import { alertFaults } from "./alert-faults.ts";
import { artifactFaults } from "./artifact-faults.ts";
import { cliFaults } from "./cli-faults.ts";
import { approvalFaults } from "./approval-faults.ts";
import { brokerFaults } from "./broker-faults.ts";
import { fleetFaults } from "./fleet-faults.ts";
import { planFaults } from "./plan-faults.ts";
import { taskFaults } from "./task-faults.ts";
import { pluginFaults } from "./plugin-faults.ts";
import { storeFaults } from "./store-faults.ts";
import { webhookFaults } from "./webhook-faults.ts";

/**
 * Every refusal Gatehouse can give: its code, its kind, its title and what to do. `docs/errors.md` lists exactly these
 * (a test compares them). Codes are stable: programs match on them, never on texts.
 */
export const faults = {
  // The request itself
  "request.malformed": {
    kind: "malformed",
    title: "The request does not have the expected form",
    todo: "Compare the request with /api/openapi.json; the detail names the field.",
  },
  "request.unknown_route": {
    kind: "unknown",
    title: "There is no such route",
    todo: "See /api/openapi.json for the routes that exist.",
  },
  "request.method_not_allowed": {
    kind: "method",
    title: "The route does not take this method",
    todo: "The Allow header names the methods it takes.",
  },
  "request.body_too_large": {
    kind: "too_large",
    title: "The body is too large",
    todo: "Send at most the number of bytes the detail names.",
  },
  "request.headers_too_large": {
    kind: "header_too_large",
    title: "The request headers are too large",
    todo: "Send less than 16 KiB of headers.",
  },
  "request.timeout": {
    kind: "timeout",
    title: "The request did not arrive in time",
    todo: "Send the whole request within the time limit.",
  },
  "request.unsupported_media_type": {
    kind: "unsupported",
    title: "The body's media type is not accepted",
    todo: "Send the media type that the detail names, without Content-Encoding.",
  },
  "request.unknown_host": {
    kind: "misdirected",
    title: "This server does not answer for that host",
    todo: "Use the host of SERVICE_PUBLIC_URL, or a loopback address.",
  },
  "request.rate_limited": {
    kind: "limited",
    title: "Too many requests",
    todo: "Wait for as many seconds as the detail says.",
  },
  "request.upgrade_required": {
    kind: "upgrade",
    title: "The path is a WebSocket",
    todo: "Open it with a WebSocket handshake, or see /api/openapi.json for the routes that are plain requests.",
  },
  "request.stale": {
    kind: "precondition",
    title: "The record has changed since it was read",
    todo: "Read the record again, look at the difference, and send the change with the new ETag.",
  },
  "request.key_reused": {
    kind: "conflict",
    title: "The Idempotency-Key was used for another request",
    todo: "Use a new key for a new request; repeat an old request unchanged.",
  },
  // Identity
  "auth.credential_required": {
    kind: "unauthenticated",
    title: "A credential is required",
    todo: "Sign in, or send `Authorization: Bearer <token>`.",
  },
  "auth.scope_missing": {
    kind: "forbidden",
    title: "The credential lacks a scope",
    todo: "Use a credential that holds the scope named in the detail.",
  },
  "auth.credential_refused": {
    kind: "unauthenticated",
    title: "The credential is not accepted",
    todo: "Sign in again, or use a token that is neither expired nor revoked.",
  },
  "auth.step_up_required": {
    kind: "forbidden",
    title: "A fresh sign-in is required",
    todo: "Prove the password again (the dashboard and `gatehouse` ask for it; otherwise POST /api/auth/step-up), then repeat within five minutes.",
  },
  "auth.cross_site": {
    kind: "forbidden",
    title: "The request comes from another site",
    todo: "Send it from the dashboard's own pages; programs use a token instead of a cookie.",
  },
  "auth.session_required": {
    kind: "forbidden",
    title: "Only a signed-in person can do this",
    todo: "Sign in in the dashboard or with `gatehouse login`. A token can never do this.",
  },
  "auth.sign_in_refused": {
    kind: "unauthenticated",
    title: "The sign-in is refused",
    todo: "Check the name and the password. An owner sees in the audit log why.",
  },
  "auth.sign_in_throttled": {
    kind: "limited",
    title: "Too many failed attempts for this account",
    todo: "Wait for as many seconds as the detail says.",
  },
  "auth.password_wrong": {
    kind: "forbidden",
    title: "The password is wrong",
    todo: "Type the current password of the account that is signed in.",
  },
  "auth.password_unacceptable": {
    kind: "malformed",
    title: "The new password is not accepted",
    todo: "Choose 12 to 256 characters that are hard to guess; a phrase of several words is good.",
  },
  "auth.node_limited": {
    kind: "forbidden",
    title: "The credential is limited to some nodes",
    todo: "Name only nodes from its list, or use a credential without a list.",
  },
  "auth.first_admin_missing": {
    kind: "startup",
    title: "There is no user yet, and no first administrator is configured",
    todo: "Set SERVICE_ADMIN_USERNAME and SERVICE_ADMIN_PASSWORD for the first start; later starts ignore them.",
  },
  "session.unknown": {
    kind: "unknown",
    title: "There is no such session",
    todo: "List the sessions again; it may have ended.",
  },
  "token.unknown": {
    kind: "unknown",
    title: "There is no such token",
    todo: "List the tokens again; yours are shown without a further scope.",
  },
  "token.scope_refused": {
    kind: "forbidden",
    title: "The token cannot hold a scope that was asked for",
    todo: "Leave out the scopes named in the detail.",
  },
  "token.too_many": {
    kind: "conflict",
    title: "There are too many tokens",
    todo: "Revoke tokens that are no longer used.",
  },
  "token.already_issued": {
    kind: "conflict",
    title: "The token was already issued for this Idempotency-Key",
    todo: "A token is shown once. If it was lost, revoke it and issue another with a new key.",
  },
  "user.unknown": {
    kind: "unknown",
    title: "There is no such user",
    todo: "List the users again; the user may have been removed.",
  },
  "user.name_taken": {
    kind: "conflict",
    title: "The user name is taken",
    todo: "Choose another name.",
  },
  "user.last_owner": {
    kind: "conflict",
    title: "The last enabled owner stays",
    todo: "Make another user an owner first.",
  },
  "user.beyond_own": {
    kind: "forbidden",
    title: "The change reaches beyond your own scopes",
    todo: "Nobody gives, takes or keeps for others what they do not hold: ask somebody who holds the scopes in the detail.",
  },
  ...planFaults,
  ...artifactFaults,
  ...taskFaults,
  ...approvalFaults,
  ...pluginFaults,
  ...brokerFaults,
  ...fleetFaults,
  ...alertFaults,
  // Streams
  "events.too_many_streams": {
    kind: "limited",
    title: "Too many event streams are open",
    todo: "Close other windows or wait; one stream serves a whole browser.",
  },
  "socket.no_room": {
    kind: "limited",
    title: "Too many agents are connecting or connected",
    todo: "Wait for as many seconds as the detail says; agents do so by themselves.",
  },
  // The server
  "server.internal": {
    kind: "internal",
    title: "The server failed",
    todo: "Report the request id; the server's log holds the reason.",
  },
  "server.stopping": {
    kind: "unavailable",
    title: "The server is stopping",
    todo: "Try again in a few seconds.",
  },
  "server.busy": {
    kind: "unavailable",
    title: "Too many passwords are being checked",
    todo: "Try again in a few seconds.",
  },
  "server.not_ready": {
    kind: "unavailable",
    title: "The server cannot serve changes now",
    todo: "Look at the check that failed and at the server's log.",
  },
  "server.metrics_disabled": {
    kind: "forbidden",
    title: "Metrics are not enabled",
    todo: "Set SERVICE_METRICS_TOKEN and send it as a bearer token.",
  },
  // Configuration
  "config.invalid": {
    kind: "startup",
    title: "A setting is invalid",
    todo: "See `gatehouse-server --help` for every setting.",
  },
  "site.not_built": {
    kind: "startup",
    title: "The web page has not been built",
    todo: "Run `npm run build`, then start the server again.",
  },
  ...storeFaults,
  ...webhookFaults,
  ...cliFaults,
  ...agentFaults,
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;

export type FaultCode = keyof typeof faults;

/** Makes the refusal `code`, with what was expected and found in `detail`. */
export function fault(
  code: FaultCode,
  detail: string,
  more: { fields?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
): Fault {
  return new Fault({ code, detail, ...faults[code], ...more });
}

export function isFault(error: unknown, code?: FaultCode): error is Fault {
  return error instanceof Fault && (code === undefined || error.code === code);
}
