import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Artifact } from "@gatehouse/contract/routes";
import type { ArtifactFacts, Operation } from "@gatehouse/plan";
import { runJson } from "../../apps/cli/test/run-commands.ts";
import type { ManagedHost } from "./managed-host.ts";
import type { PlanDesk } from "./plan-desk.ts";

type BinaryReplace = Extract<Operation, { kind: "binary.replace" }>;
type BinaryFacts = Extract<ArtifactFacts, { kind: "binary" }>;

/** A program that the lab's plans replace, whose it is, and a service that runs it. */
export const labProgram = "/usr/local/bin/tool";
export const labPublisher = "acme";
export const labProgramEntry = `binary.replace:${labProgram}=${labPublisher}`;
export const labProgramService = "lab-tool.service";

const unit = `[Unit]
Description=A service of the lab
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${labProgram} infinity

[Install]
WantedBy=multi-user.target
`;

/** Installs the service for a program that is there, and starts it. */
export async function makeProgramService(host: ManagedHost): Promise<void> {
  await host.write(`/etc/systemd/system/${labProgramService}`, unit);
  await host.shell(`systemctl daemon-reload && systemctl enable --now --quiet ${labProgramService}`);
}

/** A program of the host, made another one by what stands behind its end, where nobody looks when it runs. */
export function programOf(host: ManagedHost, name: "false" | "sleep", behind: string, size = 0): Uint8Array {
  const own = readFileSync(host.place(`usr/bin/${name}`));
  const end = Buffer.from(`\n${behind}\n`);
  return Buffer.concat([own, Buffer.alloc(Math.max(size - own.byteLength - end.byteLength, 0), behind), end]);
}

/** A publisher whose key the command line has made, and who signs with it. */
export class Publisher {
  readonly id: string;
  /** As root of a host is given it. */
  readonly named: string;
  readonly #directory: string;
  #signed = 0;

  constructor(parts: { readonly id: string; readonly publicKey: string; readonly directory: string }) {
    this.id = parts.id;
    this.named = `${parts.id}=${parts.publicKey}`;
    this.#directory = parts.directory;
  }

  async sign(bytes: Uint8Array, version = "1.0.0"): Promise<BinaryFacts> {
    const file = join(this.#directory, `tool-${(this.#signed += 1)}`);
    writeFileSync(file, bytes);
    const said = `--name tool --version ${version} --architecture ${process.arch} --publisher ${this.id}`;
    const { code, found } = await runJson(`artifact sign ${file} ${said} --key ${keyIn(this.#directory)}`);
    if (code !== 0) throw new Error(`nothing was signed: ${JSON.stringify(found)}`);
    return found["facts"] as unknown as BinaryFacts;
  }

  remove(): Promise<void> {
    return rm(this.#directory, { recursive: true });
  }
}

export async function makePublisher(id = labPublisher): Promise<Publisher> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-publisher-"));
  const { code, found } = await runJson(`plugin keygen --out ${keyIn(directory)} --publisher ${id} --no-passphrase`);
  if (code !== 0) throw new Error(`no key was made: ${JSON.stringify(found)}`);
  return new Publisher({ id, publicKey: found["publicKey"] as string, directory });
}

function keyIn(directory: string): string {
  return join(directory, "publisher.key");
}

/** Brings a program to the lab's server, part by part. */
export async function bringProgram(plans: PlanDesk, facts: ArtifactFacts, bytes: Uint8Array): Promise<Artifact> {
  const { json, status, text } = await plans.send("POST", "/api/artifacts", facts);
  if (status !== 201 && status !== 200) throw new Error(`the program was answered ${status}: ${text}`);
  let artifact = json as unknown as Artifact;
  if (artifact.state === "whole") return artifact;
  const { id, partSize } = artifact;
  for (let number = 0; number * partSize < bytes.byteLength; number += 1) {
    const part = bytes.subarray(number * partSize, (number + 1) * partSize);
    const put = await plans.send("PUT", `/api/artifacts/${id}/parts/${number}`, part);
    if (put.status !== 200) throw new Error(`part ${number} was answered ${put.status}: ${put.text}`);
    artifact = put.json as unknown as Artifact;
  }
  if (artifact.state !== "whole") throw new Error(`the program is ${artifact.state}`);
  return artifact;
}

export function replaceBy(facts: BinaryFacts, path = labProgram): BinaryReplace {
  return { ...facts, kind: "binary.replace", path };
}

/** Its rights, which file it is, how many names it has, and what it holds by its digest; null where there is none. */
export async function programOn(host: ManagedHost, path = labProgram): Promise<string | null> {
  const { code, stdout } = await host.run(
    "sh",
    "-euc",
    `stat --format '%a %u:%g %i %h' ${path} && sha256sum < ${path}`,
  );
  return code === 0 ? stdout : null;
}

/** The same of one that a change has made: which file it is, nobody knows before. */
export function programWith({ sha256 }: Pick<BinaryReplace, "sha256">, rights = "755 0:0"): RegExp {
  return new RegExp(`^${rights} \\d+ 1\n${sha256}  -\n$`);
}
