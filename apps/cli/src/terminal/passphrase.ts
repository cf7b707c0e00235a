import type { Flags } from "@gatehouse/command-line";
import { fault, judgePassword } from "@gatehouse/contract";
import type { PasswordSource } from "./password-source.ts";

/** The flag of every command that opens a key file. */
export const passphraseFlags = {
  "passphrase-stdin": { about: "Read the passphrase of the key file from standard input instead of asking for it." },
} as const satisfies Flags;

/** Asks for the passphrase of a new key file, twice where it is typed unseen. It is judged as a password is. */
export async function askNewPassphrase(passwords: PasswordSource, file: string): Promise<string> {
  const passphrase = await passwords.next(`New passphrase of ${file}: `);
  const problem = judgePassword(passphrase, "");
  if (problem !== undefined) throw fault("cli.passphrase_unacceptable", problem);
  if (passwords.areTyped && (await passwords.next("The same again: ")) !== passphrase) {
    throw fault("cli.passphrase_unacceptable", "the two passphrases differ");
  }
  return passphrase;
}
