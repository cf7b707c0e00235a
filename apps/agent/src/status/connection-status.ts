import { parseStrictJsonBytes } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import * as z from "zod";

const time = z.int().min(0);

/**
 * What the network part leaves behind for `gatehouse-agent status`: /var/lib/private/gatehouse-agent/status.json, written by its own
 * user and read by root. It is shown and decides nothing. Times are milliseconds since 1970.
 */
const connectionStatus = z.strictObject({
  schema: z.literal(1),
  /** When this was written. */
  at: time,
  server: z.string().max(2_048),
  state: z.enum(["connecting", "connected", "waiting", "stopped"]),
  /** Since when it is connected; null when it is not. */
  connectedAt: time.nullable(),
  /** The end of the last connection or attempt, and why. */
  lastClose: z.strictObject({ at: time, code: z.string().max(128), detail: z.string().max(1_024) }).nullable(),
  /** When it tries again; null when it is connected or will not. */
  nextTryAt: time.nullable(),
  /** What waits for the server's acknowledgement, and what had to be dropped for want of space. */
  outbox: z.strictObject({ records: z.int().min(0), bytes: z.int().min(0), dropped: z.int().min(0) }),
});

export type ConnectionStatus = z.infer<typeof connectionStatus>;

export function parseConnectionStatus(bytes: Uint8Array): ConnectionStatus {
  const json = parseStrictJsonBytes(bytes.subarray(0, 64 * 1024));
  if (!json.ok) throw fault("agent.file_unusable", `status.json is not strict JSON: ${json.reason}`);
  const parsed = connectionStatus.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw fault(
    "agent.file_unusable",
    `status.json: /${(issue?.path ?? []).join("/")}: ${issue?.message ?? "unexpected"}`,
  );
}

export function connectionStatusText(status: ConnectionStatus): string {
  return `${JSON.stringify(status)}\n`;
}
