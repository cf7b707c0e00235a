import { channelLimits, decodeBase64url, readStateAnswer, type StateAnswer } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { isSignedBy, loadPublicKey, nodeIdOf, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { type PlanSection, stateDigest } from "@gatehouse/plan";
import { sha256Of } from "../sha256-of.ts";

type Refuse = (why: string) => Error;

/** What a host said of its parts, in its own name. */
export interface HostWord {
  /** By its own clock. */
  readonly at: string;
  readonly states: StateAnswer["states"];
}

/**
 * Checks that a section was made from what its host itself said: the answer is signed by a key that the node's id is made of, and
 * every precondition is the digest of a state in it. Null for a section that changes nothing, of which a host has nothing to say.
 */
export function checkStates(section: PlanSection, signed: string | null): HostWord | null {
  const refuse: Refuse = (why) => fault("cli.host_states_differ", `${section.node}: ${why}`);
  if (signed === null) {
    if (section.preconditions.length === 0) return null;
    // Silence is a refusal: a server that has something to hide would show nothing.
    throw refuse("the server shows nothing that the host has signed");
  }
  const word = readAnswer(section.node, signed, refuse);
  for (const { subject, state } of section.preconditions) {
    const [told, again] = word.states.filter((one) => one.subject === subject);
    if (told === undefined || again !== undefined) {
      throw refuse(`the host has signed ${told === undefined ? "nothing" : "two states"} for ${subject}`);
    }
    const found = told.state === null ? "absent" : stateDigest(sha256Of, subject, told.state);
    if (found !== state) throw refuse(`${subject} was ${found} as the host signed it, and the plan says ${state}`);
  }
  return word;
}

function readAnswer(node: string, signed: string, refuse: Refuse): HostWord {
  const isBounded = signed.length <= Math.ceil((channelLimits.stateBytes * 4) / 3);
  const bytes = isBounded ? decodeBase64url(signed) : undefined;
  const read = readSigned(bytes, [signatureLength], readStateAnswer);
  if (read === undefined) throw refuse("what it is said to have signed is no answer of a host");
  const { framed, signatures, value } = read;
  if (value.nodeId !== node || nodeIdOf(value.hostKey) !== node) throw refuse("another host has signed these states");
  const key = loadPublicKey(value.hostKey, `the host key of ${node}`);
  if (!isSignedBy(key, framed, signatures[0])) throw refuse("the host's signature does not fit these states");
  const at = new Date(value.at);
  if (Number.isNaN(at.getTime())) throw refuse("the host signed at no moment of a calendar");
  return { states: value.states, at: at.toISOString() };
}
