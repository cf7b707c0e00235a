/** Keys of approvers and what they sign, for tests that use packages by their names. */
export { signedBy } from "../../packages/approval/src/verify/approval-cases.ts";
export { type MadeKey, makeKey } from "../../packages/approval/src/verify/ssh-key-cases.ts";
