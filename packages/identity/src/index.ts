/**
 * Identity: how a password is kept and what the records of users, sessions and tokens look like, for the server and for
 * the command line beside a stopped one. Never decides who may do what; the server's auth feature does.
 */
export { checkNewPassword, openPasswords, type PasswordCost, passwordCost, type Passwords } from "./password.ts";
export {
  type CredentialsRecord,
  credentialsKey,
  findUser,
  type IdempotencyRecord,
  type OwnersRecord,
  ownersKey,
  readCredentials,
  readOwners,
  type Reads,
  type SessionRecord,
  type SessionRef,
  type TokenRecord,
  type TokenRef,
  tokenKey,
  type UsernameRecord,
  type UserRecord,
  userKey,
  usernameKey,
} from "./records.ts";
