import { createHash } from "node:crypto";
import { readByteForm } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { keyIdOf, loadPublicKey } from "@gatehouse/keys";
import { frame } from "@gatehouse/keys/frame";
import type { ZodError } from "zod";
import { readBase64 } from "../base64.ts";
import { describeFound } from "../describe-found.ts";
import { sshKeyTypes } from "../ssh-key.ts";
import { serialiseTrust, type TrustFile, trustFile, trustFileLimits } from "../trust-file.ts";
import { approverKeyId, type LoadedSshKey, loadSshKey } from "./load-ssh-key.ts";
import type { PinnedKey } from "./verify-sshsig.ts";

/** A trust file whose every key is sound. */
export interface Trust extends Pick<TrustFile, "epoch" | "prev" | "thresholds" | "notAfter"> {
  readonly digest: string;
  readonly persons: readonly TrustedPerson[];
  /** Whose programs plans may bring, by the publishers' ids. */
  readonly publishers: ReadonlyMap<string, readonly TrustedPublisherKey[]>;
  /** Who has to confirm a change that could cut a host off. */
  readonly networkConfirmation: "path" | "approver";
}

export interface TrustedPerson {
  readonly name: string;
  readonly keys: readonly (PinnedKey & { readonly id: string })[];
}

/** A raw Ed25519 key of a publisher, by the id that follows from it. */
export interface TrustedPublisherKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Throws `trust.form`, `key.type` or `key.weak`, and names the place. */
export function parseTrust(bytes: Uint8Array): Trust {
  const { bytes: most } = trustFileLimits;
  if (bytes.byteLength > most) throw form("/", `at most ${most} bytes`, String(bytes.byteLength));
  const value = readByteForm(bytes, { depth: 8, keys: most, items: most });
  if (value === undefined) throw form("/", "the byte form of a trust file", "other bytes");
  const parsed = trustFile.safeParse(value);
  if (!parsed.success) throw issueOf(parsed.error);
  const file = parsed.data;
  if (file.epoch === 1 && file.prev !== null) throw form("/prev", "null in the first epoch", "a digest");
  checkThresholds(file);
  const { epoch, prev, thresholds, notAfter, confirm } = file;
  const networkConfirmation = confirm?.network ?? "path";
  return {
    epoch,
    prev,
    thresholds,
    notAfter,
    networkConfirmation,
    digest: trustDigest(bytes),
    persons: loadPersons(file),
    publishers: loadPublishers(file),
  };
}

/** How facts, statements and the next file name a trust file. In lower-case hexadecimal. */
export function trustDigest(bytes: Uint8Array): string {
  return createHash("sha256").update(frame("gatehouse-trust-v1", bytes)).digest("hex");
}

/** The keys of one person; `uv` false for a security key without a PIN. */
export interface NewPerson {
  readonly name: string;
  readonly keys: readonly { readonly blob: Uint8Array; readonly uv?: boolean }[];
}

/**
 * The bytes of a trust file that follows no other. One person of it is enough for everything, unless `more` says otherwise; its epoch
 * is not 1 where root of a host replaces an earlier file.
 */
export function firstTrust(
  persons: readonly NewPerson[],
  more: Partial<Pick<TrustFile, "epoch" | "thresholds" | "publishers" | "notAfter" | "confirm">> = {},
): Uint8Array {
  const bytes = serialiseTrust({
    schema: 1,
    epoch: 1,
    prev: null,
    persons: persons.map(({ name, keys }) => ({ name, keys: keys.map(writeKey) })),
    thresholds: { change: 1, network: 1, update: 1, terminal: 1, trust: 1 },
    publishers: {},
    auditors: [],
    ...more,
  });
  parseTrust(bytes);
  return bytes;
}

function writeKey({ blob, uv }: NewPerson["keys"][number]): TrustFile["persons"][number]["keys"][number] {
  return { id: approverKeyId(blob), kind: "ssh", key: blob.toBase64(), ...(uv === undefined ? {} : { uv }) };
}

function checkThresholds({ thresholds, persons }: TrustFile): void {
  for (const [name, wanted] of Object.entries(thresholds)) {
    const at = `/thresholds/${name}`;
    if (wanted > persons.length) throw form(at, `at most ${persons.length}, the number of persons`, String(wanted));
  }
}

/** One public point stands once, under whatever type and person: nobody counts twice. */
function loadPersons({ persons }: TrustFile): TrustedPerson[] {
  const names = new Set<string>();
  const points = new Set<string>();
  return persons.map(({ name, keys }, index) => {
    const at = `/persons/${index}`;
    if (names.has(name)) throw form(`${at}/name`, "a name that stands nowhere else", "one that does");
    names.add(name);
    const loaded = keys.map((fields, place) => {
      const { key, ...pinned } = loadKey(fields, `${at}/keys/${place}`);
      const point = key.point.toHex();
      if (points.has(point)) throw form(`${at}/keys/${place}/key`, "a key that stands nowhere else", "one that does");
      points.add(point);
      return pinned;
    });
    return { name, keys: loaded };
  });
}

function loadKey(
  { id, kind, key: base64, uv }: TrustFile["persons"][number]["keys"][number],
  at: string,
): PinnedKey & { readonly id: string; readonly key: LoadedSshKey } {
  if (kind !== "ssh")
    throw fault("key.type", `${at}: expected a key of kind "ssh", found "${kind}", which comes later`);
  const blob = readBase64(base64);
  if (blob === undefined) throw form(`${at}/key`, "padded base64", `something else of ${base64.length} characters`);
  const key = loadSshKey(blob, at);
  const follows = approverKeyId(blob);
  if (id !== follows) throw form(`${at}/id`, `${follows}, which follows from the key`, describeFound(id));
  // Who writes it for another key believes that somebody will have to touch that one.
  if (uv !== undefined && !sshKeyTypes[key.type].isSecurityKey) {
    throw form(`${at}/uv`, `nothing for a key of ${key.type}`, String(uv));
  }
  return { id, blob, needsVerification: uv ?? true, key };
}

/** A key signs for one publisher alone: whose program it is must not depend on who asks. */
function loadPublishers({ publishers }: TrustFile): Trust["publishers"] {
  const known = new Set<string>();
  return new Map(
    Object.entries(publishers).map(([publisher, { keys }]) => [
      publisher,
      keys.map(({ id, key: base64 }, place) => {
        const at = `/publishers/${publisher}/keys/${place}`;
        const key = readBase64(base64);
        if (key === undefined)
          throw form(`${at}/key`, "padded base64", `something else of ${base64.length} characters`);
        loadPublicKey(key, at);
        if (id !== keyIdOf(key))
          throw form(`${at}/id`, `${keyIdOf(key)}, which follows from the key`, describeFound(id));
        if (known.has(id)) throw form(`${at}/key`, "a key that stands nowhere else", "one that does");
        known.add(id);
        return { id, key };
      }),
    ]),
  );
}

function issueOf(error: ZodError): Error {
  const issue = error.issues[0] as ZodError["issues"][number];
  const extra = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  // Keys are the writer's text: only what can be a name of ours is shown.
  const path = [...issue.path, ...extra].map((part) =>
    String(part)
      .replaceAll(/[^\w.-]/g, "?")
      .slice(0, 40),
  );
  const said = issue.code === "unrecognized_keys" ? "is no field here" : issue.message;
  return fault("trust.form", `/${path.join("/")}: ${said}`);
}

function form(at: string, expected: string, found: string): Error {
  return fault("trust.form", `${at}: expected ${expected}, found ${found}`);
}
