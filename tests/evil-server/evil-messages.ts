import { createHash } from "node:crypto";
import { byteForm } from "@gatehouse/base";
import { enrolAnswerFrame } from "@gatehouse/channel";
import { encodeText, frame, u16, u32, u64 } from "@gatehouse/keys/frame";
import type { EvilGround, Message } from "./evil-case.ts";

const zeros = new Uint8Array(32);
const welcome = { acked: 0, beatSeconds: 10, windowSeconds: 20, head: null, serverTime: 0 };
const ceiling = { schema: 1, level: "managed", allow: ["file.write:/etc"] };

interface EvilMessage {
  readonly name: string;
  readonly make: (ground: EvilGround) => readonly Message[];
}

/** Bytes that the server's own key has signed, or that stand where such are expected. */
export const evilMessages: readonly EvilMessage[] = [
  { name: "a challenge", make: ({ challenge }) => [challenge] },
  { name: "two challenges", make: ({ challenge }) => [challenge, challenge] },
  { name: "a hello of its own", make: ({ sign, hello }) => [sign(hello)] },
  ...[
    { ceiling },
    { trust: { epoch: 1 } },
    { features: ["task", "wake"] },
    { beatSeconds: 0 },
    { windowSeconds: 10 ** 9 },
    { acked: 2 ** 53 - 1 },
    { head: { position: 0 } },
    { serverTime: -1 },
  ].map((odd) => ({
    name: `a welcome with ${Object.keys(odd).join()} ${JSON.stringify(Object.values(odd)[0]).slice(0, 30)}`,
    make: (ground: EvilGround) => [welcomeWith(ground, { ...welcome, ...odd })],
  })),
  {
    name: "a welcome and a task in one breath",
    make: (ground) => [welcomeWith(ground, welcome), '{"t":"task","task":"task_1"}'],
  },
  { name: "an order", make: ({ sign }) => [sign(order("node_0"))] },
  { name: "another server's key", make: ({ sign }) => [sign(rotation())] },
  {
    name: "an answer to an enrolment",
    make: ({ sign }) => [
      sign(enrolAnswerFrame({ request: zeros, nodeId: "node_0", at: 0, body: { name: "evil", tags: ["managed"] } })),
    ],
  },
  { name: "a signed ceiling", make: ({ sign }) => [sign(frame("gatehouse-ceiling-v1", byteForm(ceiling)))] },
  {
    name: "a message of the helper's socket",
    make: () => {
      const text = encodeText(JSON.stringify({ v: 1, id: 1, verb: "channel.sign", channelKey: "A".repeat(43) }));
      return [Buffer.concat([u32(text.byteLength), text]), text];
    },
  },
  { name: "a binary answer", make: () => [Buffer.concat([new Uint8Array([1]), u32(1), u64(0), zeros])] },
];

function welcomeWith({ sign, hello }: EvilGround, body: object): Uint8Array {
  const digest = createHash("sha256").update(hello).digest();
  return sign(frame("gatehouse-hello-server-v1", digest, byteForm(body)));
}

function order(nodeId: string): Uint8Array {
  const times = [u64(0), u64(2 ** 52), u32(60)];
  return frame("gatehouse-server-order-v1", encodeText(nodeId), new Uint8Array(16), zeros, u32(0), ...times);
}

function rotation(): Uint8Array {
  const url = encodeText("http://127.0.0.1:9");
  return frame("gatehouse-rotate-server-v1", zeros, zeros, url, u64(0), u32(0), u16(0));
}
