import { type AgentArchitecture, agentArchitectures, sha256Hex } from "@gatehouse/contract";
import { fault } from "@gatehouse/contract/faults";
import { findUrlFlaw } from "./enrol-code.ts";
import { agentDownloadPath } from "./paths.ts";

export interface EnrolLine {
  /** Where the code says that the server is. */
  readonly url: string;
  readonly arch: AgentArchitecture;
  /** Of the program, as whoever prints the line knows it. */
  readonly sha256: string;
  readonly code: string;
  /** A file on the host with the authority of the server's certificate, where it is a private one. */
  readonly ca?: string | undefined;
}

/**
 * The one line that enrols a host. It downloads the agent, checks the digest in the line itself, and only then runs what was
 * checked: no script of the server runs as root. Nothing in it can mean more to a shell than it says.
 */
export function enrolLine({ url, arch, sha256, code, ca }: EnrolLine): string {
  const flaw = findUrlFlaw(url);
  if (flaw !== undefined) throw fault("enrol.url", `${JSON.stringify(url)}: ${flaw}`);
  if (!codeForm.test(code)) throw fault("enrol.code_malformed", "it has characters that no code has");
  if (!agentArchitectures.includes(arch)) throw new RangeError(`no agent is built for ${JSON.stringify(arch)}`);
  if (!sha256Hex.safeParse(sha256).success) throw new RangeError("a digest has 64 of 0-9 a-f");
  const authority = ca === undefined ? undefined : shellWord(ca);
  const download = shellWord(`${new URL(url).origin}${agentDownloadPath}/${arch}`);
  return [
    `curl -fsS --compressed${authority === undefined ? "" : ` --cacert ${authority}`} -o ${file} ${download}`,
    `echo '${sha256}  ${file}' | sha256sum -c`,
    `chmod 0755 ${file}`,
    `sudo ./${file} enrol ${code}${authority === undefined ? "" : ` --ca ${authority}`}`,
  ].join(" && ");
}

/** A text as one word of a shell. One that a terminal could act on, or that reads as an option, is none. */
export function shellWord(text: string): string {
  if (text === "" || text.startsWith("-") || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) {
    throw new RangeError(`${JSON.stringify(text)} is no word for a line`);
  }
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const file = "gatehouse-agent";
const codeForm = /^ghe1_[A-Za-z0-9_-]{16,4096}$/;
