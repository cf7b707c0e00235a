import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Approval, approvalFrame, readArmor, sectionBits, sshKeygenSign } from "@gatehouse/approval";
import { approverKeyId, parseSshKeyLine, sshFingerprint } from "@gatehouse/approval/verify";
import { usualStatement } from "./approvers.ts";
import { childEnvironment } from "./child-environment.ts";

/** What is approved: the plan, which of its sections, and by which trust files their hosts stand. */
export interface Approved {
  readonly planDigest: string;
  readonly sections: number;
  readonly chosen: readonly number[];
  readonly trust: readonly string[];
  readonly more?: Partial<Approval>;
}

/** A person with a key of OpenSSH, who signs what is asked. */
export class SshApprover {
  readonly #directory: string | undefined;
  readonly keyFile: string;

  /** With a new key; or with one that somebody has made, without a passphrase. */
  constructor(type = "ed25519", made?: string) {
    if (made !== undefined) {
      this.keyFile = made;
      return;
    }
    this.#directory = mkdtempSync(join(tmpdir(), "gatehouse-approver-"));
    this.keyFile = join(this.#directory, "key");
    const words = ["-q", "-N", "", "-C", "ada@example", "-t", type, "-f", this.keyFile];
    execFileSync("ssh-keygen", words, { env: childEnvironment(), stdio: "pipe" });
  }

  /** The line that root of a host is given. */
  get line(): string {
    return readFileSync(`${this.keyFile}.pub`, "utf8").trim();
  }

  get fingerprint(): string {
    return sshFingerprint(parseSshKeyLine(this.line).blob);
  }

  /** The body of a request that brings the approval, valid for an hour unless told otherwise. */
  approve({ planDigest, sections, chosen, trust, more = {} }: Approved): { statement: string; ssh: string } {
    const about = { planDigest, sections: sectionBits(sections, chosen), trust: [...trust].toSorted() };
    const statement = approvalFrame({
      ...usualStatement(Date.now(), about),
      keyId: approverKeyId(parseSshKeyLine(this.line).blob),
      ...more,
    });
    const [program, ...words] = sshKeygenSign(this.keyFile);
    const armor = execFileSync(program, words, { input: statement, env: childEnvironment(), stdio: "pipe" });
    return { statement: statement.toBase64(), ssh: readArmor(armor.toString()).toBase64() };
  }

  remove(): void {
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true });
  }
}
