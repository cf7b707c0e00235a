import { fault, judgePassword } from "@gatehouse/contract";
import type { PasswordSource } from "./password-source.ts";

/** Asks for a new password, and for it again where it was typed unseen. Refuses at once what the server would refuse. */
export async function askNewPassword(passwords: PasswordSource, username: string, repeat = passwords.areTyped) {
  const password = await passwords.next(`New password of ${username}: `);
  const problem = judgePassword(password, username);
  if (problem !== undefined) throw fault("auth.password_unacceptable", problem);
  if (repeat && (await passwords.next("The same again: ")) !== password) {
    throw fault("auth.password_unacceptable", "the two new passwords differ");
  }
  return password;
}
