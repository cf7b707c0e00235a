import type { Operation } from "@gatehouse/plan";
import { encodeText, frame, u64 } from "@gatehouse/keys/frame";

/** An artifact as an operation names it, with what its signature is over. */
export interface NamedArtifact {
  /** Signed by a publisher, or by the release key. */
  readonly kind: "binary" | "release";
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly sha256: string;
  readonly size: number;
  /** Of a program alone. */
  readonly publisher?: string;
  readonly signature: { readonly keyId: string; readonly ed25519: string };
}

const releaseName = "gatehouse-agent";

/** What a program of a plan says of itself. An earlier form of the operation does not say it, and then no signature can be over it. */
type SaidOfProgram = Partial<Pick<NamedArtifact, "name" | "version" | "architecture">>;

/** Undefined for an operation that brings none. */
export function findNamedArtifact(operation: Operation): NamedArtifact | undefined {
  if (operation.kind === "agent.update") {
    const { version, architecture } = operation;
    return { ...bytesOf(operation), kind: "release", name: releaseName, version, architecture };
  }
  if (operation.kind !== "binary.replace") return undefined;
  const { name = "", version = "", architecture = "" } = operation as SaidOfProgram;
  return { ...bytesOf(operation), kind: "binary", name, version, architecture, publisher: operation.publisher };
}

type Bytes = Pick<NamedArtifact, "sha256" | "size" | "signature">;

function bytesOf({ sha256, size, signature }: Bytes): Bytes {
  return { sha256, size, signature };
}

/** What a publisher or the release key signs: neither can sign what the other has to. */
export function signedFrame({ kind, sha256, size, name, version, architecture, publisher }: NamedArtifact): Uint8Array {
  const facts = [Uint8Array.fromHex(sha256), u64(size), ...[name, version, architecture].map(encodeText)];
  return kind === "release"
    ? frame("gatehouse-release-v1", ...facts)
    : frame("gatehouse-binary-v1", ...facts, encodeText(publisher ?? ""));
}
