import { agentSubprotocol, controlPath } from "@gatehouse/channel";
import { wayToServer } from "../local/way-to-server.ts";
import type { PinnedServer } from "../local/server-file.ts";

/** What comes over one connection; nothing comes after `closed`. */
export interface DialEvents {
  opened(protocol: string, extensions: string): void;
  message(data: string | Uint8Array): void;
  closed(code: number, reason: string, wasOpen: boolean): void;
}

export interface Dialled {
  send(data: string | Uint8Array): void;
  /** Bytes that wait to be sent. */
  waiting(): number;
  /** From now on nothing of this connection is told any more. */
  close(code: number, reason: string): void;
}

export type Dial = (server: PinnedServer, on: DialEvents) => Dialled;

/** So long the other end may take to answer a close; afterwards it is not asked. */
const closeMs = 2_000;

/** A WebSocket to the server's control path, with the check of certificates written out. Redirects are not followed by it. */
export const dialWebSocket: Dial = (server, on) => {
  const url = new URL(controlPath, server.url);
  url.protocol = url.protocol === "http:" ? "ws:" : "wss:";
  // More than the standard's second argument: the compiled agent's runtime takes these options, and Node ignores what it does not know.
  const options = { protocols: [agentSubprotocol], perMessageDeflate: false, ...wayToServer(server) };
  const socket = new WebSocket(url, options);
  socket.binaryType = "arraybuffer";
  let [isOpen, isOver] = [false, false];
  socket.addEventListener("open", () => {
    isOpen = true;
    if (!isOver) on.opened(socket.protocol, socket.extensions);
  });
  socket.addEventListener("message", ({ data }: { readonly data: unknown }) => {
    if (!isOver) on.message(typeof data === "string" ? data : new Uint8Array(data as ArrayBuffer));
  });
  // The close that follows tells all that there is; without a listener an error would end the process.
  socket.addEventListener("error", () => undefined);
  socket.addEventListener("close", ({ code, reason }) => {
    if (isOver) return;
    isOver = true;
    on.closed(code, reason, isOpen);
  });
  return {
    send: (data) => {
      if (!isOver && socket.readyState === WebSocket.OPEN) socket.send(data);
    },
    waiting: () => socket.bufferedAmount,
    close: (code, reason) => {
      isOver = true;
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close(code, reason.slice(0, 100));
      const { terminate } = socket as { readonly terminate?: () => void };
      if (terminate !== undefined) setTimeout(() => terminate.call(socket), closeMs).unref();
    },
  };
};
