import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that answers a plugin's broker calls (contract 3.1). A plugin finds the code in `error.data.code`. */
export const brokerFaults = {
  "broker.capability_missing": {
    kind: "forbidden",
    title: "The plugin's manifest does not declare the capability",
    todo: "Declare the capability the detail names in the manifest and publish again; the operator sees it before accepting.",
  },
  "broker.unknown_method": {
    kind: "unknown",
    title: "The broker has no such method",
    todo: "Call one of the methods in docs/plugins/protocol.md.",
  },
  "broker.malformed": {
    kind: "malformed",
    title: "The broker call does not have the expected form",
    todo: "Compare the call with docs/plugins/protocol.md; the detail names the field.",
  },
  "broker.not_during_plan": {
    kind: "forbidden",
    title: "A plan is a function of its question alone",
    todo: "Make this call in describe or health; whatever a plan depends on belongs into its recorded input, or is told of its nodes.",
  },
  "broker.host_not_declared": {
    kind: "forbidden",
    title: "The manifest does not name this host",
    todo: "Name the exact host under egress.hosts in the manifest and publish again.",
  },
  "broker.address_refused": {
    kind: "forbidden",
    title: "The host leads to an address that plugins may not reach",
    todo: "Use a host with public addresses only; loopback, private and special ones are refused.",
  },
  "broker.too_large": {
    kind: "too_large",
    title: "A value of the broker call is too large",
    todo: "Stay within the size the detail names.",
  },
  "broker.timeout": {
    kind: "timeout",
    title: "The broker call took too long",
    todo: "Ask for less, or try again with the next action.",
  },
  "broker.unreachable": {
    kind: "unavailable",
    title: "The host did not answer as expected",
    todo: "Check that the host answers over HTTPS with a valid certificate; redirects are not followed.",
  },
  "broker.quota": {
    kind: "full",
    title: "The plugin has used up what it may store or write",
    todo: "Delete keys that are no longer needed, and write only what has changed; the detail names the quota.",
  },
  "broker.detached": {
    kind: "unavailable",
    title: "The plugin has no broker any more",
    todo: "Nothing in the plugin: it was disabled or replaced while the action ran.",
  },
  "broker.too_many_calls": {
    kind: "limited",
    title: "The action made too many broker calls",
    todo: "Make at most 64 calls in one action; fetch lists with one call instead of one for each key.",
  },
  "broker.failed": {
    kind: "internal",
    title: "The server could not do what the call asks for",
    todo: "Nothing in the plugin: the server's log holds the reason. Try again with the next action.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;

export type BrokerFaultCode = keyof typeof brokerFaults;
