import type { ConnectionStatus } from "../status/connection-status.ts";
import type { ControlState } from "./control-state.ts";

const names = {
  waiting: "waiting",
  dialling: "connecting",
  asking: "connecting",
  proving: "connecting",
  online: "connected",
  stopped: "stopped",
} as const satisfies Record<ControlState["at"], ConnectionStatus["state"]>;

/** The connection as `gatehouse-agent status` shows it. */
export function connectionStatusOf(
  { at, kept }: ControlState,
  { server, now, outbox }: Pick<ConnectionStatus, "server" | "outbox"> & { readonly now: number },
): ConnectionStatus {
  const { connectedAt, lastClose, nextTryAt } = kept;
  const code = lastClose === null ? null : { ...lastClose, code: lastClose.code.slice(0, 128) };
  return { schema: 1, at: now, server, state: names[at], connectedAt, lastClose: code, nextTryAt, outbox };
}
