import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readArmor, sshKeygenSign } from "@gatehouse/approval";
import { approverKeyId, parseSshKeyLine, sshFingerprint } from "@gatehouse/approval/verify";
import { fault } from "@gatehouse/contract";
import type { Surroundings } from "../command.ts";

/** A key of an approver: the private half stays where ssh-keygen finds it. */
export interface ApproverKey {
  /** What ssh-keygen is given. */
  readonly file: string;
  readonly id: string;
  readonly fingerprint: string;
}

/** A public key is one line. */
const mostCharacters = 8 * 1024;

/** Reads the public half, which lies beside a private key, or is the file itself where an agent has the private one. */
export async function readApproverKey(file: string): Promise<ApproverKey> {
  const publicFile = file.endsWith(".pub") ? file : `${file}.pub`;
  const line = await readFile(publicFile, "utf8").catch((cause: unknown) => {
    throw fault("cli.approver_key_unusable", `${publicFile} cannot be read; it holds the public half of the key`, {
      cause,
    });
  });
  if (line.length > mostCharacters) throw fault("cli.approver_key_unusable", `${publicFile} is no public key`);
  const { blob } = parseSshKeyLine(line);
  return { file: resolve(file), id: approverKeyId(blob), fingerprint: sshFingerprint(blob) };
}

/**
 * Lets ssh-keygen sign a statement. It gets a file of its own in a private directory and the terminal as it is: it asks there for a
 * passphrase, and for the touch of a security key.
 */
export async function signStatement(
  statement: Uint8Array,
  { file }: Pick<ApproverKey, "file">,
  { environment }: Pick<Surroundings, "environment">,
): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-sign-"));
  try {
    const message = join(directory, "statement");
    await writeFile(message, statement, { mode: 0o600, flag: "wx" });
    const [program, ...words] = sshKeygenSign(file);
    const child = spawn(program, [...words, "-q", message], {
      env: withoutOurs(environment),
      stdio: ["inherit", "ignore", "inherit"],
    });
    const [code] = (await once(child, "close").catch((cause: unknown) => {
      throw fault("cli.signing_failed", `${program} cannot be started`, { cause });
    })) as [number | null];
    if (code !== 0) throw fault("cli.signing_failed", `${program} ended with ${code ?? "a signal"}`);
    const armor = await readFile(`${message}.sig`, "utf8").catch((cause: unknown) => {
      throw fault("cli.signing_failed", `${program} wrote no signature`, { cause });
    });
    return readArmor(armor);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A token is no business of ssh-keygen, nor of the programs that it starts. */
function withoutOurs(environment: Surroundings["environment"]): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("GATEHOUSE_")));
}
