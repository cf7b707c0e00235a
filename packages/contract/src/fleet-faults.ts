import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that is about hosts: enrolment, the hello, frames of the channel, the helper's socket. */
export const fleetFaults = {
  // Nodes
  "node.unknown": {
    kind: "unknown",
    title: "There is no such node",
    todo: "List the nodes again; it may have been removed.",
  },
  "metrics.stretch": {
    kind: "malformed",
    title: "The stretch of time is not usable",
    todo: "Ask for a time that ends after it begins, not in the future, and at most as long as the detail says.",
  },
  "enrolment.unknown": {
    kind: "unknown",
    title: "There is no such enrolment",
    todo: "List the enrolments again; it may have ended.",
  },
  "enrolment.already_made": {
    kind: "conflict",
    title: "The codes were already made for this Idempotency-Key",
    todo: "A code is shown once. If it was lost, revoke it and make another with a new key.",
  },
  "enrolment.too_many": {
    kind: "conflict",
    title: "Too many enrolment codes are open",
    todo: "Revoke codes that are not needed, or wait until they end.",
  },
  "agent.not_built": {
    kind: "unknown",
    title: "This server has no agent binary",
    todo: "Use the container image, which holds the binaries.",
  },
  "key.weak": {
    kind: "malformed",
    title: "A public key is not usable",
    todo: "Use a key that the agent or `ssh-keygen` made. Anybody could sign for one like this.",
  },
  // Enrolment
  "enrol.malformed": {
    kind: "malformed",
    title: "An enrolment message does not have its form",
    todo: "Use an agent and a server of matching versions; something on the way may have changed the message.",
  },
  "enrol.code_malformed": {
    kind: "startup",
    title: "The enrolment code is damaged",
    todo: "Copy the whole code again, from `ghe1_` to its last character.",
  },
  "enrol.code_unknown": {
    kind: "forbidden",
    title: "The server does not know the enrolment code",
    todo: "Ask for a new code. It may have been revoked, or it is of another server.",
  },
  "enrol.code_expired": {
    kind: "forbidden",
    title: "The enrolment code has expired",
    todo: "Ask for a new code, and compare the clocks of host and server.",
  },
  "enrol.code_used": {
    kind: "conflict",
    title: "The enrolment code has been used",
    todo: "If you did not use it, somebody else did: look at the newest nodes and revoke what you do not know. Then ask for a new code.",
  },
  "enrol.url": {
    kind: "conflict",
    title: "The enrolment code names no usable address",
    todo: "The address must be https, or http to this machine itself. Set SERVICE_PUBLIC_URL on the server and ask for a new code.",
  },
  "enrol.mac": {
    kind: "forbidden",
    title: "The enrolment was not made with the code",
    todo: "Something between host and server has changed the message. Find out what answers under the server's name.",
  },
  "enrol.possession": {
    kind: "forbidden",
    title: "The enrolment does not prove that it has its keys",
    todo: "Enrol from the host that made the keys.",
  },
  "enrol.same_key": {
    kind: "malformed",
    title: "Host key and channel key are the same",
    todo: "Use the agent of this product, which makes two keys.",
  },
  "enrol.server_signature": {
    kind: "startup",
    title: "The answer was not signed by the server of the code",
    todo: "Nothing was kept. Something answers under the server's name that is not the server: find out what before you try again.",
  },
  "enrol.server_key": {
    kind: "forbidden",
    title: "The server's key is not the one of this enrolment",
    todo: "Run `gatehouse-agent enrol` as root with a code of that server.",
  },
  "enrol.node_id": {
    kind: "startup",
    title: "The server calls this host by another name than its key",
    todo: "Nothing was kept. The server is not honest or not whole: do not enrol here.",
  },
  "enrol.marker": {
    kind: "startup",
    title: "No enrolment is under way on this host",
    todo: "Run `gatehouse-agent enrol` as root; it opens enrolment for 15 minutes.",
  },
  "enrol.unreachable": {
    kind: "startup",
    title: "The server cannot be reached from this host",
    todo: "Check name, route, proxy and certificate as the detail says, then run the same line again.",
  },
  // The host
  "host.unsuitable": {
    kind: "startup",
    title: "This host cannot run the agent",
    todo: "Correct what the detail names.",
  },
  "host.not_root": {
    kind: "startup",
    title: "This needs root on the host",
    todo: "Run the command as root.",
  },
  "host.not_enrolled": {
    kind: "startup",
    title: "This host is not enrolled",
    todo: "Ask for a line with `gatehouse node enrol`, and run it as root on this host.",
  },
  "identity.cloned": {
    kind: "startup",
    title: "The host key belongs to another machine",
    todo: "This disk was copied. Run `gatehouse-agent enrol CODE --new-identity` to make this host a node of its own.",
  },
  "ceiling.malformed": {
    kind: "startup",
    title: "The ceiling is not valid",
    todo: "Correct what the detail names; `gatehouse-agent ceiling set --help` shows the forms. Until then the host takes no change.",
  },
  // The hello
  "hello.malformed": {
    kind: "startup",
    title: "A message of the hello does not have its form",
    todo: "Use an agent and a server of matching versions.",
  },
  "hello.order": {
    kind: "startup",
    title: "A message came before its turn",
    todo: "Use an agent and a server of matching versions; something between them may add messages.",
  },
  "hello.version": {
    kind: "startup",
    title: "Agent and server have no protocol version in common",
    todo: "Update the older one; the detail names the versions of both.",
  },
  "hello.timeout": {
    kind: "startup",
    title: "The hello was not finished in time",
    todo: "Look whether the server is overloaded, and whether a proxy holds messages back.",
  },
  "hello.server_key": {
    kind: "startup",
    title: "Another server answers than the one of the enrolment",
    todo: "Nothing was sent to it. If the server was set up anew, enrol this host again with a new code.",
  },
  "hello.server_signature": {
    kind: "startup",
    title: "The server could not prove its identity",
    todo: "Something answers under the server's name that does not have its key: find out what.",
  },
  "hello.node_signature": {
    kind: "forbidden",
    title: "The agent could not prove its identity",
    todo: "Look at the node: it may have been enrolled again from another disk, or something between agent and server changes messages.",
  },
  "hello.revoked": {
    kind: "forbidden",
    title: "The node was revoked or removed",
    todo: "Enrol the host again with a new code if it is to come back.",
  },
  "hello.redirect": {
    kind: "startup",
    title: "The server's address answers with a redirect",
    todo: "Redirects are not followed. Correct the proxy, or enrol with the address that serves.",
  },
  "hello.tls": {
    kind: "startup",
    title: "The certificate is not accepted",
    todo: "Correct the certificate, or give the authority that signed it with `--ca FILE`.",
  },
  // Frames after the hello
  "frame.illegal_now": {
    kind: "startup",
    title: "A frame came before the hello was finished",
    todo: "Use an agent and a server of matching versions.",
  },
  "frame.unknown": {
    kind: "startup",
    title: "A frame has a type that is not known here",
    todo: "Use an agent and a server of matching versions.",
  },
  "frame.malformed": {
    kind: "startup",
    title: "A frame does not have its form",
    todo: "Use an agent and a server of matching versions.",
  },
  "frame.too_large": {
    kind: "startup",
    title: "A frame is larger than its type allows",
    todo: "Use an agent and a server of matching versions.",
  },
  "frame.rate": {
    kind: "startup",
    title: "Frames come faster than they may",
    todo: "Look at the other end: it does not behave as this version does.",
  },
  "channel.silent": {
    kind: "startup",
    title: "The other end has missed three beats",
    todo: "It connects again by itself. Look at the network if it happens often.",
  },
  "channel.replaced": {
    kind: "startup",
    title: "Another connection came with the same identity",
    todo: "Two machines may have the same disk: look at the node's addresses.",
  },
  // The helper's socket
  "local.frame": {
    kind: "startup",
    title: "A message on the helper's socket does not have its form",
    todo: "Only the agent's own network part uses this socket.",
  },
  "local.verb": {
    kind: "startup",
    title: "The helper has no such verb",
    todo: "What changes the host's ceiling or identity is a command of local root, never a message.",
  },
  "local.limit": {
    kind: "startup",
    title: "A limit of the helper's socket was reached",
    todo: "Only the agent's own network part uses this socket; look who else does.",
  },
  "local.unavailable": {
    kind: "startup",
    title: "The helper does not answer",
    todo: "See `systemctl status gatehouse-helper.socket gatehouse-helper.service`, or run `gatehouse-agent doctor`.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;
