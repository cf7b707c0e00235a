import { compareVersions, versionPattern } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { isSignedBy, loadPublicKey } from "@gatehouse/keys";
import {
  type ArtifactFacts,
  artifactMessage,
  artifactOf,
  elfHeadBytes,
  findForeignElf,
  type Operation,
} from "@gatehouse/plan";
import type { KeptArtifact } from "./kept-artifact.ts";

/** A raw Ed25519 key, by the id that follows from it. */
export interface SigningKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** What the host knows by itself of those who sign, and of the agent that runs. */
export interface ArtifactScene {
  /** Whose programs it takes, by the publishers' ids; read only when a program is to come. */
  readonly findPublishers: () => ReadonlyMap<string, readonly SigningKey[]>;
  readonly release: {
    /** Compiled in. Throws what is wrong with them. */
    readonly getKeys: () => readonly SigningKey[];
    /** No release before it is taken. */
    readonly floor: string;
  };
  readonly running: { readonly version: string; readonly architecture: string };
}

type Brought = readonly [named: ArtifactFacts, kept: KeptArtifact];

/** Whether the artifacts of a change are those that its operations name, and signed by those who have to sign them. */
export async function judgeArtifacts(
  scene: ArtifactScene,
  operations: readonly Operation[],
  artifacts: readonly KeptArtifact[],
): Promise<void> {
  const brought = matchArtifacts(operations, artifacts); // 39
  for (const [named] of brought) checkSignature(scene, named); // 40
  for (const each of brought) await checkArchitecture(scene, each);
  for (const [named] of brought) if (named.kind === "release") checkLater(scene, named); // 41
}

/** Each that an operation names, beside its bytes; and no other was sent for. */
function matchArtifacts(operations: readonly Operation[], artifacts: readonly KeptArtifact[]): Brought[] {
  const kept = new Map(artifacts.map((each) => [each.sha256, each]));
  const named = operations.map(artifactOf).filter((each) => each !== undefined);
  const brought = named.map((each) => {
    const found = kept.get(each.sha256);
    if (found === undefined) throw fault("artifact.missing", `expected ${each.sha256}, found no such artifact`);
    return [each, found] as const;
  });
  for (const [{ sha256, size }, found] of brought) {
    if (found.size === size) continue;
    throw fault("artifact.digest", `${sha256}: expected ${size} bytes, found ${found.size}`);
  }
  const surplus = artifacts.find(({ sha256 }) => !named.some((each) => each.sha256 === sha256));
  if (surplus === undefined) return brought;
  throw fault("artifact.digest", `expected artifacts that operations name, found ${surplus.sha256}`);
}

function checkSignature(scene: ArtifactScene, named: ArtifactFacts): void {
  const { keyId, ed25519 } = named.signature;
  const keys = named.kind === "release" ? scene.release.getKeys() : keysOfPublisher(scene, named);
  const signer = keys.find(({ id }) => id === keyId);
  const whose = named.kind === "release" ? "the release key" : named.publisher;
  if (signer === undefined) {
    const known = keys.map(({ id }) => id).join(", ");
    throw fault("artifact.signature", `${named.sha256}: expected a signature by ${known}, found one by ${keyId}`);
  }
  const bytes = Buffer.from(ed25519, "base64");
  const isSpelledOnce = bytes.toString("base64") === ed25519;
  if (isSignedBy(loadPublicKey(signer.key, whose), artifactMessage(named), bytes) && isSpelledOnce) return;
  throw fault("artifact.signature", `${named.sha256}: expected ${whose} to have signed it, found another signature`);
}

function keysOfPublisher(
  { findPublishers }: ArtifactScene,
  { publisher }: Extract<ArtifactFacts, { kind: "binary" }>,
): readonly SigningKey[] {
  const publishers = findPublishers();
  const keys = publishers.get(publisher);
  if (keys !== undefined) return keys;
  const known = [...publishers.keys()].join(", ") || "no publisher";
  throw fault("artifact.publisher", `expected ${known}, found ${publisher}`);
}

/** By what was signed, and by the bytes themselves: neither is taken for the other. */
async function checkArchitecture({ running }: ArtifactScene, [named, kept]: Brought): Promise<void> {
  const { sha256, architecture } = named;
  if (architecture !== running.architecture) {
    throw fault("artifact.architecture", `${sha256}: expected ${running.architecture}, found ${architecture}`);
  }
  const foreign = findForeignElf(await kept.read(0, elfHeadBytes), running.architecture);
  if (foreign === undefined) return;
  throw fault("artifact.architecture", `${sha256}: expected a program for ${running.architecture}, found ${foreign}`);
}

function checkLater({ running, release }: ArtifactScene, { version }: ArtifactFacts): void {
  const isLater = versionPattern.test(version) && compareVersions(version, running.version) > 0;
  if (!isLater) throw fault("artifact.downgrade", `expected a version after ${running.version}, found ${version}`);
  if (compareVersions(version, release.floor) >= 0) return;
  throw fault("artifact.downgrade", `expected ${release.floor} or later, found ${version}`);
}
