import type { SocketSpec } from "./socket.ts";

/** Contract 4: the control channel of an agent. */
export const agentControlSocket = {
  path: "/api/agent/control/stream",
  summary: "The control channel of an agent: heartbeats, metrics, tasks, results and wake-ups, both ways.",
  from: "agent",
  access: { kind: "agent" },
  maxFrame: 64 * 1024,
  subprotocol: "gatehouse.agent.1",
} as const satisfies SocketSpec;
