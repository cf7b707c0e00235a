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
  { server, now }: { readonly server: string; readonly now: number },
): ConnectionStatus {
  const { connectedAt, lastClose, nextTryAt } = kept;
  const code = lastClose === null ? null : { ...lastClose, code: lastClose.code.slice(0, 128) };
  const outbox = { records: 0, bytes: 0, dropped: 0 };
  return { schema: 1, at: now, server, state: names[at], connectedAt, lastClose: code, nextTryAt, outbox };
}
