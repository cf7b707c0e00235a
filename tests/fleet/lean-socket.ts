import { connect, type Socket } from "node:net";
import { agentSubprotocol, controlPath } from "@gatehouse/channel";

/** How a connection ended, whichever side ended it. */
export interface SocketEnd {
  /** Of the answer, when it was none to an upgrade. */
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  /** Of the close frame; 1006 when none came. */
  readonly code: number;
  /** The fault's code where the server said one. */
  readonly reason: string;
}

/** Whoever speaks over it. Methods, not closures: ten thousand of them are in one process. */
export interface SocketUser {
  heard(data: string | Buffer): void;
  ended(end: SocketEnd): void;
}

const opcodes = { text: 1, binary: 2, close: 8 } as const;
const mostHead = 64 * 1024;

/**
 * An agent's end of a WebSocket over a plain connection. It holds next to nothing, masks with zeros, which is legal and costs
 * nothing, and lets a hostile agent send whatever bytes it likes.
 */
export class LeanSocket {
  readonly #user: SocketUser;
  readonly #socket: Socket;
  #rest: Buffer = empty;
  #isOpen = false;
  #hasEnded = false;
  #end: Partial<SocketEnd> | undefined;

  /** `from` is the address to come from: everything in 127.0.0.0/8 is this machine. */
  constructor(port: number, user: SocketUser, from?: string) {
    this.#user = user;
    this.#socket = connect({ port, host: "127.0.0.1", ...(from !== undefined && { localAddress: from }) });
    this.#socket.setNoDelay(true);
    this.#socket.on("data", (bytes: Buffer) => this.#take(bytes));
    this.#socket.on("error", ignore);
    this.#socket.on("close", () => this.#over());
    this.#socket.write(handshake(port));
  }

  send(data: string | Uint8Array): void {
    this.sendRaw(maskedFrame(data));
  }

  /** Bytes as they are, whether they are a frame or not. */
  sendRaw(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  close(): void {
    this.sendRaw(maskedFrame(Buffer.from([0x03, 0xe8]), opcodes.close));
  }

  cut(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (!this.#isOpen && !this.#readHead()) return;
    for (let found = readFrameAt(this.#rest); found !== undefined; found = readFrameAt(this.#rest)) {
      this.#rest = this.#rest.subarray(found.next);
      this.#takeFrame(found);
    }
    // What is left over would keep the whole piece it came in.
    if (this.#rest.length === 0) this.#rest = empty;
  }

  /** Whether the upgrade was granted; a refusal is kept for the end, which follows it. */
  #readHead(): boolean {
    const end = this.#rest.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const head = this.#rest.subarray(0, end).toString("latin1");
    const status = Number(head.slice(9, 12));
    if (status !== 101) {
      const [, after] = /^retry-after: (\d+)$/im.exec(head) ?? [];
      const [, reason = ""] = /"code":"([a-z._]+)"/.exec(this.#rest.toString("latin1")) ?? [];
      this.#end = { status, reason, ...(after !== undefined && { retryAfter: Number(after) }) };
      if (this.#rest.length > mostHead) this.cut();
      return false;
    }
    this.#isOpen = true;
    this.#rest = this.#rest.subarray(end + 4);
    return true;
  }

  #takeFrame({ opcode, payload }: Frame): void {
    if (opcode === opcodes.text) this.#user.heard(payload.toString("utf8"));
    else if (opcode === opcodes.binary) this.#user.heard(payload);
    else if (opcode === opcodes.close) {
      const code = payload.length < 2 ? 1005 : payload.readUInt16BE(0);
      this.#end ??= { code, reason: payload.subarray(2).toString("utf8") };
      this.sendRaw(maskedFrame(payload, opcodes.close));
      this.#socket.end();
    }
  }

  #over(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#user.ended({ status: undefined, retryAfter: undefined, code: 1006, reason: "", ...this.#end });
  }
}

const empty = Buffer.alloc(0);

/** The close that follows every error says what there is to say. */
function ignore(): void {
  return undefined;
}

function handshake(port: number): string {
  return `${[
    `GET ${controlPath} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    `Sec-WebSocket-Protocol: ${agentSubprotocol}`,
  ].join("\r\n")}\r\n\r\n`;
}

/** A whole message under a mask of zeros. */
export function maskedFrame(
  data: string | Uint8Array,
  opcode: number = typeof data === "string" ? opcodes.text : opcodes.binary,
): Buffer {
  const payload = typeof data === "string" ? Buffer.from(data) : data;
  const { length } = payload;
  const width = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const bytes = Buffer.alloc(2 + width + 4 + length);
  bytes[0] = 0x80 | opcode;
  bytes[1] = 0x80 | (width === 0 ? length : width === 2 ? 126 : 127);
  if (width === 2) bytes.writeUInt16BE(length, 2);
  if (width === 8) bytes.writeBigUInt64BE(BigInt(length), 2);
  bytes.set(payload, 2 + width + 4);
  return bytes;
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly next: number;
}

/** The first frame of what came, or undefined while it is not whole. The server sends whole messages, and no mask. */
function readFrameAt(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const width = short < 126 ? 0 : short === 126 ? 2 : 8;
  if (bytes.length < 2 + width) return undefined;
  const length = width === 0 ? short : width === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const next = 2 + width + length;
  if (bytes.length < next) return undefined;
  return { opcode: (bytes[0] ?? 0) & 0x0f, payload: bytes.subarray(2 + width, next), next };
}
