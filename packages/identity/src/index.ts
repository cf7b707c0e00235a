/**
 * Identity: how a password is kept and how the records of users, sessions and tokens are found, for the server and for the
 * command line beside a stopped one. Never decides who may do what; the server's auth feature does.
 */
export { checkNewPassword, openPasswords, type PasswordCost, passwordCost, type Passwords } from "./password.ts";
export type {
  CredentialsRecord,
  IdempotencyRecord,
  OwnersRecord,
  SessionRecord,
  TokenRecord,
  UsernameRecord,
  UserRecord,
} from "@gatehouse/contract/records";
export {
  findUser,
  readCredentials,
  readOwners,
  sessionKeyOfRef,
  type SessionRef,
  type TokenRef,
  tokenKey,
  userKey,
  usernameKey,
} from "./records.ts";
export type { Lane, HashingTurn } from "./turnstile.ts";
