import { createSocket } from "node:dgram";
import { once } from "node:events";

export interface DnsPeer extends AsyncDisposable {
  /** `127.0.0.1:port`, as a resolver wants it. */
  readonly server: string;
  /** `name type`, in the order in which they were asked. */
  readonly questions: readonly string[];
}

/** The addresses of a name at its nth question; `silent` never answers. */
export type Zone = (
  name: string,
  nth: number,
) => { readonly a: readonly string[]; readonly aaaa: readonly string[] } | "silent";

const types: Readonly<Record<number, "a" | "aaaa">> = { 1: "a", 28: "aaaa" };

/** A name server on loopback that knows what the test tells it. */
export async function startDnsPeer(zone: Zone): Promise<DnsPeer> {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  socket.on("message", (message, from) => {
    const { name, type, end } = readQuestion(message);
    const kind = types[type];
    questions.push(`${name} ${kind ?? type}`);
    const nth = questions.filter((question) => question === `${name} ${kind}`).length;
    const found = zone(name, nth);
    if (found === "silent") return;
    const answers = kind === undefined ? [] : found[kind].map((address) => answerOf(type, address));
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(0x81_80, 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, message.subarray(12, end), ...answers]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    server: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** A record about the name of the question, to be kept by nobody. */
function answerOf(type: number, address: string): Buffer {
  const data = type === 1 ? Buffer.from(address.split(".").map(Number)) : sixteen(address);
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function sixteen(address: string): Buffer {
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [before, behind] = [groups(head), groups(tail)];
  const all = [...before, ...Array.from({ length: 8 - before.length - behind.length }, () => 0), ...behind];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
