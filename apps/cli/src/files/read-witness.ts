import { decodeBase64url, readWitnessHead } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { isSignedBy, loadPublicKey, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import type { Head, WitnessedHead } from "@gatehouse/store";

/** What somebody else saw of a log: one signed position, or all the heads that a host keeps. */
export type WitnessFile =
  | { readonly t: "position"; readonly witness: WitnessedHead }
  | { readonly t: "host"; readonly node: string | undefined; readonly heads: readonly Head[] };

/** What `gatehouse-agent witness show --json` prints; fields of a later version are passed over. */
interface HostFile {
  readonly node?: unknown;
  readonly server?: unknown;
  readonly heads?: unknown;
}

const mostHeads = 1_000;

/** Both forms; `parsePosition` reads the one that `gatehouse audit witness` prints. Every head of a host has to be signed by the key that its file names. */
export function readWitnessText(text: string, parsePosition: (text: string) => WitnessedHead): WitnessFile {
  const json: unknown = JSON.parse(text);
  if ((json as { kind?: unknown } | null)?.kind !== "gatehouse-witness") {
    return { t: "position", witness: parsePosition(text) };
  }
  const { node, server, heads: texts } = json as HostFile;
  const isWhole =
    typeof server === "string" &&
    Array.isArray(texts) &&
    texts.length > 0 &&
    texts.length <= mostHeads &&
    texts.every((text) => typeof text === "string");
  if (!isWhole) throw fault("store.malformed", "the file of a host names its server and at least one head");
  const key = loadPublicKey(decodeBase64url(server) ?? new Uint8Array(), "the server's key");
  const heads = texts.map((signed: string, index) => {
    const read = readSigned(decodeBase64url(signed), [signatureLength], readWitnessHead);
    if (read === undefined || !isSignedBy(key, read.framed, read.signatures[0])) {
      throw fault("witness.signature", `head ${index + 1} of the file is not signed by the server that it names`);
    }
    return { position: read.value.position, link: read.value.link.toHex() };
  });
  return { t: "host", node: typeof node === "string" ? node : undefined, heads };
}
