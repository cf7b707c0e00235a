import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSshKeyLine } from "@gatehouse/approval";
import { approverKeyId, firstTrust } from "@gatehouse/approval/verify";
import { onTestFinished } from "vitest";
import { childEnvironment } from "../../../tests/support/child-environment.ts";

/** A person with an SSH key of their own, made by ssh-keygen. */
export interface Approver {
  readonly name: string;
  /** The private key; its public half lies beside it. */
  readonly file: string;
  readonly blob: Uint8Array;
  readonly keyId: string;
}

/** A home directory for the time of a test, and the environment of a program in it. */
export function newHome(): { readonly home: string; readonly environment: Record<string, string> } {
  const home = mkdtempSync(join(tmpdir(), "gatehouse-approver-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return { home, environment: childEnvironment({ HOME: home, XDG_CONFIG_HOME: join(home, ".config") }) };
}

export function newApprover(home: string, name: string, passphrase = ""): Approver {
  const file = join(home, name);
  const words = ["-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", file];
  execFileSync("ssh-keygen", words, { env: childEnvironment() });
  const { blob } = readSshKeyLine(readFileSync(`${file}.pub`, "utf8"));
  return { name, file, blob, keyId: approverKeyId(blob) };
}

type More = Parameters<typeof firstTrust>[1];

/** What a host that believes these persons signs about itself. */
export function believing(persons: readonly Approver[], more: More = {}) {
  const bytes = firstTrust(
    persons.map(({ name, blob }) => ({ name, keys: [{ blob }] })),
    more,
  );
  return { accepts: "signed", trust: bytes.toBase64() };
}
