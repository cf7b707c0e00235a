/**
 * Channel: what agent and server say to each other, byte by byte: codes, enrolment, hello, frames, versions, limits; browser-safe.
 * Never signs, never opens a connection, never decides who may speak.
 */
export { decodeBase64url, encodeBase64url } from "./base64url.ts";
export { closeCodeOf, closeCodes } from "./close-codes.ts";
export {
  type ControlFrame,
  controlFrames,
  type End,
  type FrameOf,
  type FrameType,
  outKinds,
  readControlFrame,
  writeControlFrame,
} from "./control-frames.ts";
export {
  type Digest,
  type EnrolCode,
  enrolCodeId,
  enrolMacInfo,
  findUrlFlaw,
  parseEnrolCode,
  secretLength,
  writeEnrolCode,
} from "./enrol-code.ts";
export { enrolLine, type EnrolLine, shellWord } from "./enrol-line.ts";
export {
  type EnrolAnswer,
  type EnrolAnswerBody,
  enrolAnswerFrame,
  type EnrolRequest,
  enrolRequestBody,
  type EnrolRequestBody,
  enrolRequestFrame,
  enrolSignatures,
  readEnrolAnswer,
  readEnrolRequest,
} from "./enrol-messages.ts";
export { agentVersion, reportedHostName } from "./fields.ts";
export {
  type AgentHello,
  agentHelloFrame,
  type Challenge,
  challengeFrame,
  type HelloBody,
  readAgentHello,
  readChallenge,
  readServerHello,
  serverHelloFrame,
  type WelcomeBody,
} from "./hello.ts";
export { type HostEvent, type HostEventName, hostEvent, hostEventNames } from "./host-events.ts";
export {
  ceilingFrame,
  channelKeyFrame,
  type ChannelKeyChange,
  factsFrame,
  type HostFacts,
  readChannelKey,
  readFacts,
  readStateAnswer,
  type SignedFacts,
  type StateAnswer,
  stateAnswerFrame,
  type SubjectState,
} from "./host-messages.ts";
export { channelLimits, longestCarryMs } from "./limits.ts";
export { nodeWords } from "./node-words.ts";
export {
  outcomeBody,
  type OutcomeDetail,
  outcomeFrame,
  readOutcome,
  type SignedOutcome,
} from "./outcome-message.ts";
export { planWords } from "./plan-words.ts";
export { type PulledPiece, pieceHeadLength, readPiece, writePiece } from "./pulled-piece.ts";
export { agentDownloadPath, controlPath, enrolPath } from "./paths.ts";
export {
  type HeadRow,
  noHead,
  packHeadRows,
  readWitnessHead,
  unpackHeadRows,
  type WitnessHead,
  witnessHeadFrame,
} from "./witness-head.ts";
export { agentSubprotocol, chooseVersion, protocolVersions, type VersionRange } from "./versions.ts";
