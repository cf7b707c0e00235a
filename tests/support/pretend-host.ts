import { createHash, createHmac, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { byteForm } from "@gatehouse/base";
import {
  type AgentHello,
  agentHelloFrame,
  ceilingFrame,
  channelLimits,
  channelKeyFrame,
  chooseVersion,
  controlPath,
  encodeBase64url,
  decodeBase64url,
  driftFrame,
  type DriftPart,
  enrolCodeId,
  enrolMacInfo,
  enrolRequestFrame,
  factsFrame,
  type FrameOf,
  type HostFacts,
  outcomeFrame,
  parseEnrolCode,
  protocolVersions,
  readChallenge,
  readEnrolAnswer,
  type SignedDrift,
  type SignedOutcome,
  type StateAnswer,
  stateAnswerFrame,
  type SubjectState,
} from "@gatehouse/channel";
import { isSignedBy, loadPublicKey, newPrivateKey, nodeIdOf, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned, readSigned } from "@gatehouse/keys/frame";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

/**
 * What a host says, without a host: its two keys, and the messages that it makes with them. How they travel is the test's
 * concern. `changed` alters a message before it is signed.
 */
export class PretendHost {
  readonly hostname: string;
  readonly hostKey: KeyObject;
  readonly nodeId: string;
  channelKey: KeyObject;
  #number = 0;
  #looks = 0;

  constructor(hostname = "web-1", keys: { readonly host?: KeyObject; readonly channel?: KeyObject } = {}) {
    this.hostname = hostname;
    this.hostKey = keys.host ?? newPrivateKey();
    this.channelKey = keys.channel ?? newPrivateKey();
    this.nodeId = nodeIdOf(publicOf(this.hostKey));
  }

  /** The body of `POST /api/agent/enrol` for a code. */
  enrolment(code: string, changed: { signer?: PretendHost; mac?: Uint8Array; secret?: Uint8Array } = {}) {
    const { server, secret } = parseEnrolCode(sha256, code);
    const signer = changed.signer ?? this;
    const framed = enrolRequestFrame({
      version: protocolVersions.max,
      server,
      codeId: enrolCodeId(sha256, secret),
      nonce: randomBytes(32),
      hostKey: publicOf(this.hostKey),
      channelKey: publicOf(this.channelKey),
      body: { agentVersion: "0.2.1-alpha.1", hostname: this.hostname },
    });
    const macKey = Buffer.from(hkdfSync("sha256", changed.secret ?? secret, server, enrolMacInfo, 32));
    const mac = changed.mac ?? createHmac("sha256", macKey).update(framed).digest();
    const signatures = [signBytes(signer.hostKey, framed), signBytes(signer.channelKey, framed), mac];
    return { message: encodeBase64url(joinSigned(framed, ...signatures)) };
  }

  /** What the server answered, if it is signed by the server of the code and meant for this message. */
  readAnswer(code: string, sent: { readonly message: string }, answer: { readonly message: string }) {
    const { server } = parseEnrolCode(sha256, code);
    const signed = readSigned(decodeBase64url(answer.message), [64], readEnrolAnswer);
    const asked = readSigned(decodeBase64url(sent.message), [64, 64, 32], (framed) => framed);
    if (signed === undefined || asked === undefined) return undefined;
    const isOwn = Buffer.from(signed.value.request).equals(sha256(asked.framed));
    const isSigned = isSignedBy(loadPublicKey(server, "the server's key"), signed.framed, signed.signatures[0]);
    return isOwn && isSigned ? signed.value : undefined;
  }

  hello(challenge: Uint8Array, changed: Partial<AgentHello> & { signer?: KeyObject } = {}): Uint8Array {
    const asked = readChallenge(challenge);
    if (asked === undefined) throw new Error("the first message is no challenge");
    const { signer = this.channelKey, ...fields } = changed;
    const framed = agentHelloFrame({
      versions: asked.versions,
      chosen: chooseVersion(asked.versions, protocolVersions) ?? 0,
      path: controlPath,
      authority: "localhost:8088",
      server: asked.server,
      serverNonce: asked.nonce,
      agentNonce: randomBytes(32),
      nodeId: this.nodeId,
      channelKey: publicOf(this.channelKey),
      probe: new Uint8Array(),
      body: { agentVersion: "0.2.1-alpha.1", cursor: { acked: 0, last: 0 }, features: [] },
      ...fields,
    });
    return joinSigned(framed, signBytes(signer, framed));
  }

  facts(
    said: Partial<HostFacts> = {},
    ceiling: object = { level: "monitor", schema: 1 },
    trustDigest: Uint8Array = new Uint8Array(),
  ): FrameOf<"facts"> {
    this.#number += 1;
    const framed = factsFrame({
      nodeId: this.nodeId,
      hostKey: publicOf(this.hostKey),
      number: this.#number,
      at: Date.now(),
      ceilingDigest: sha256(ceilingFrame(ceiling)),
      trustDigest,
      facts: {
        agentSha256: "a".repeat(64),
        agentVersion: "0.2.1-alpha.1",
        arch: "x64",
        hostname: this.hostname,
        kernel: "6.18.0",
        mode: "monitor",
        os: "Debian GNU/Linux 13 (trixie)",
        ...said,
      },
    });
    return {
      t: "facts",
      signed: encodeBase64url(joinSigned(framed, signBytes(this.hostKey, framed))),
      ceiling: encodeBase64url(byteForm(ceiling)),
      addresses: ["192.0.2.10"],
      units: [{ name: "gatehouse-agent.service", state: "active" }],
    };
  }

  /** What it finds when it hashes again what was confirmed; each has a number of its own. */
  drift(
    parts: readonly DriftPart[],
    { signer = this.hostKey, ...changed }: Partial<SignedDrift> & { readonly signer?: KeyObject } = {},
  ): FrameOf<"drift"> {
    this.#looks += 1;
    const framed = driftFrame({
      nodeId: this.nodeId,
      hostKey: publicOf(this.hostKey),
      number: this.#looks,
      at: Date.now(),
      drift: { watched: 12, more: 0, parts: [...parts] },
      ...changed,
    });
    return { t: "drift", signed: encodeBase64url(joinSigned(framed, signBytes(signer, framed))) };
  }

  /** What the host says of itself, in the pieces in which it travels. Absent parts are null. */
  states(
    { request, subjects }: FrameOf<"want-state">,
    states: Readonly<Record<string, SubjectState["state"]>>,
    changed: Partial<StateAnswer> & { readonly signer?: KeyObject } = {},
  ): FrameOf<"state">[] {
    const { signer = this.hostKey, ...fields } = changed;
    const framed = stateAnswerFrame({
      nodeId: this.nodeId,
      hostKey: publicOf(this.hostKey),
      request: decodeBase64url(request) ?? new Uint8Array(),
      at: Date.now(),
      states: subjects.map((subject) => ({ subject, state: states[subject] ?? null })),
      ...fields,
    });
    const signed = joinSigned(framed, signBytes(signer, framed));
    const size = channelLimits.statePieceBytes;
    const pieces = Math.ceil(signed.byteLength / size);
    return Array.from({ length: pieces }, (_, piece) => ({
      t: "state",
      request,
      piece,
      pieces,
      bytes: encodeBase64url(signed.subarray(piece * size, (piece + 1) * size)),
    }));
  }

  /** The host's own word about the end of a task; `applied`, unless it is changed. How it is numbered is the test's concern. */
  outcome(
    {
      task,
      planDigest,
      index,
      approvalId,
    }: { task: string; planDigest: string; index: number; approvalId: Uint8Array },
    changed: Partial<SignedOutcome> & { readonly signer?: KeyObject; readonly seq?: number } = {},
  ): FrameOf<"out"> & { readonly body: { readonly signed: string } } {
    const { signer = this.hostKey, seq = 1, ...fields } = changed;
    const framed = outcomeFrame({
      nodeId: this.nodeId,
      hostKey: publicOf(this.hostKey),
      task,
      approvalId,
      planDigest: Buffer.from(planDigest, "hex"),
      index,
      outcome: "applied",
      at: Date.now(),
      journalSeq: 9,
      journalLink: new Uint8Array(32),
      detail: { code: "", detail: "", foreign: [] },
      ...fields,
    });
    const signed = encodeBase64url(joinSigned(framed, signBytes(signer, framed)));
    return { t: "out", seq, kind: "outcome", body: { signed } };
  }

  channelKeyChange(next: KeyObject, at: number, signer: KeyObject = this.hostKey): FrameOf<"channel-key"> {
    const framed = channelKeyFrame({
      nodeId: this.nodeId,
      hostKey: publicOf(this.hostKey),
      channelKey: publicOf(next),
      at,
    });
    return { t: "channel-key", signed: encodeBase64url(joinSigned(framed, signBytes(signer, framed))) };
  }
}

/** Ten thousand of them say hello in one process: the public half of a key is made once. */
function publicOf(key: KeyObject): Uint8Array {
  const known = publicHalves.get(key) ?? publicKeyBytes(key);
  publicHalves.set(key, known);
  return known;
}

const publicHalves = new WeakMap<KeyObject, Uint8Array>();
