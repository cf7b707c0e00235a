import { createHash } from "node:crypto";
import { controlPath, readAgentHello, readServerHello } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { isSignedBy, loadPublicKey, signatureLength } from "@gatehouse/keys";
import { isSameBytes, readSigned } from "@gatehouse/keys/frame";

/** The hello that an agent sent, and the server's answer to it: both signed messages as they went over the wire. */
export interface ProofMessages {
  readonly hello: Uint8Array;
  readonly welcome: Uint8Array;
}

/** What the host knows itself. */
export interface ProofGround {
  readonly probe: Uint8Array;
  readonly nodeId: string;
  /** The server's key, and the `host:port` where it is reached, as root has written them down. */
  readonly server: Uint8Array;
  readonly authority: string;
}

/**
 * Whether the server has answered this host since the probe was made. The agent's own signature of its hello is not asked: the network
 * part is not believed, signed or not. The proof is the server's signature over the hash of a hello that carries our probe, which
 * nobody could have got before. Throws `confirm.proof`.
 */
export function judgeProof(ground: ProofGround, proof: ProofMessages): void {
  const hello = readSigned(proof.hello, [signatureLength], readAgentHello);
  const welcome = readSigned(proof.welcome, [signatureLength], readServerHello);
  if (hello === undefined) throw noProof("a hello", "other bytes");
  if (welcome === undefined) throw noProof("a welcome", "other bytes");
  const said = hello.value;
  if (!isSameBytes(said.probe, ground.probe)) throw noProof("the probe of this change", "another");
  if (said.nodeId !== ground.nodeId) throw noProof(ground.nodeId, "another host");
  if (!isSameBytes(said.server, ground.server)) throw noProof("the key of this host's server", "another");
  if (said.path !== controlPath) throw noProof(`the path ${controlPath}`, "another");
  if (said.authority !== ground.authority) throw noProof(`a server at ${ground.authority}`, "another");
  const digest = createHash("sha256").update(hello.framed).digest();
  if (!isSameBytes(welcome.value.hello, digest)) throw noProof("the answer to that hello", "another");
  const [signature] = welcome.signatures;
  if (!isSignedBy(loadPublicKey(ground.server, "the server's key"), welcome.framed, signature)) {
    throw noProof("the signature of this host's server", "none");
  }
}

function noProof(expected: string, found: string): Error {
  return fault("confirm.proof", `expected ${expected}, found ${found}`);
}
