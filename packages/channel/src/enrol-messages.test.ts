import { frame } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import {
  type EnrolAnswer,
  enrolAnswerFrame,
  type EnrolRequest,
  enrolRequestFrame,
  readEnrolAnswer,
  readEnrolRequest,
} from "./enrol-messages.ts";
import { channelKeyFrame, factsFrame, readChannelKey, readFacts, type SignedFacts } from "./host-messages.ts";

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);
const nodeId = "node_zjq786fqc9hjs4qb1wefsk24q0";

const request: EnrolRequest = {
  version: 1,
  server: bytes(32, 1),
  codeId: bytes(16, 2),
  nonce: bytes(32, 3),
  hostKey: bytes(32, 4),
  channelKey: bytes(32, 5),
  body: { agentVersion: "0.2.1-alpha.1", hostname: "web-1.example" },
};

test("an enrolment is read back as it was written, and nothing else is one", () => {
  expect(readEnrolRequest(enrolRequestFrame(request))).toEqual(request);
  expect(readEnrolRequest(enrolRequestFrame({ ...request, nonce: bytes(31, 3) }))).toBeUndefined();
  expect(
    readEnrolRequest(enrolRequestFrame({ ...request, body: { ...request.body, more: 1 } as never })),
  ).toBeUndefined();
  expect(
    readEnrolRequest(enrolRequestFrame({ ...request, body: { ...request.body, hostname: "a b" } })),
  ).toBeUndefined();
  expect(readEnrolRequest(frame("gatehouse-enrol-agent-v2"))).toBeUndefined();
});

test("an answer carries a name and tags, and no ceiling, approver or trust file", () => {
  const answer: EnrolAnswer = { request: bytes(32, 9), nodeId, at: 1, body: { name: "web 1", tags: ["web"] } };
  expect(readEnrolAnswer(enrolAnswerFrame(answer))).toEqual(answer);
  for (const more of [{ ceiling: {} }, { approvers: [] }, { trust: "x" }]) {
    expect(readEnrolAnswer(enrolAnswerFrame({ ...answer, body: { ...answer.body, ...more } }))).toBeUndefined();
  }
});

test("facts and a new channel key are read back as the host signed them", () => {
  const facts: SignedFacts = {
    nodeId,
    hostKey: bytes(32, 4),
    number: 7,
    at: 1_800_000_000_000,
    ceilingDigest: bytes(32, 6),
    trustDigest: new Uint8Array(),
    facts: {
      agentSha256: "a".repeat(64),
      agentVersion: "0.2.1-alpha.1",
      arch: "x64",
      hostname: "web-1",
      kernel: "6.18.0",
      mode: "monitor",
      os: "Debian GNU/Linux 13 (trixie)",
    },
  };
  expect(readFacts(factsFrame(facts))).toEqual(facts);
  expect(readFacts(factsFrame({ ...facts, facts: { ...facts.facts, mode: "root" as never } }))).toBeUndefined();
  expect(readFacts(factsFrame({ ...facts, ceilingDigest: bytes(31, 6) }))).toBeUndefined();
  const change = { nodeId, hostKey: bytes(32, 4), channelKey: bytes(32, 5), at: 1_800_000_000_000 };
  expect(readChannelKey(channelKeyFrame(change))).toEqual(change);
  expect(readChannelKey(factsFrame(facts))).toBeUndefined();
});
