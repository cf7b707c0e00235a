import { agentSubprotocol, controlPath, writeControlFrame } from "@gatehouse/channel";
import type { PretendHost } from "../support/pretend-host.ts";

export interface ConnectedHost {
  readonly close: () => void;
}

/** Spends a code as a host does: over the network, with keys of its own. */
export async function enrolHost(baseUrl: string, host: PretendHost, code: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/agent/enrol`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(host.enrolment(code)),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the host was answered ${answer.status}: ${text}`);
}

/** Dials, says hello, and tells its facts: a host that is online until it is closed. */
export async function connectHost(baseUrl: string, host: PretendHost): Promise<ConnectedHost> {
  const socket = new WebSocket(`${baseUrl.replace("http", "ws")}${controlPath}`, [agentSubprotocol]);
  socket.binaryType = "arraybuffer";
  const came: MessageEvent[] = [];
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  // Also without anybody who waits: a host that is turned away ends so.
  ended.catch(() => undefined);
  let wake = (): void => undefined;
  socket.addEventListener("message", (message) => {
    came.push(message);
    wake();
  });
  socket.addEventListener("close", ({ code, reason }) => end(new Error(`the channel ended: ${code} ${reason}`)));
  const next = async (): Promise<Uint8Array> => {
    const arrived = new Promise<void>((resolve) => (wake = resolve));
    if (came.length === 0) await Promise.race([arrived, ended]);
    return new Uint8Array(came.shift()?.data as ArrayBuffer);
  };
  socket.send(host.hello(await next()));
  await next();
  socket.send(writeControlFrame(host.facts()));
  return { close: () => socket.close() };
}
