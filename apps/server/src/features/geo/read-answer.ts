import { isUtf8 } from "node:buffer";
import { type HandPlace, handPlace } from "@gatehouse/contract";
import { readRetryAfter } from "./read-retry-after.ts";

export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A reason is in our words: nothing that a service says is repeated. */
export type LookupAnswer =
  | { readonly kind: "found"; readonly place: HandPlace }
  | { readonly kind: "unfound" }
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfterMs?: number };

const notAPlace: LookupAnswer = { kind: "failed", reason: "its answer is not one about a place" };
const unfound: LookupAnswer = { kind: "unfound" };

/** Reads what a lookup service has answered. Whatever is not clearly a place is none. Pure. */
export function readAnswer({ status, headers, body }: GivenAnswer, now: number): LookupAnswer {
  if (status !== 200) {
    const retryAfterMs = readRetryAfter(headers["retry-after"], now);
    const reason = status === 429 ? "it was asked too often (status 429)" : `it answered with status ${status}`;
    return { kind: "failed", reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  const said = parse(body);
  if (said === undefined) return notAPlace;
  if (isRefusal(said)) {
    // Some say so in place of a status; taken for "unknown" it would be believed for a week.
    return /limit|quota|too many/i.test(textOf(said["message"]) ?? "")
      ? { kind: "failed", reason: "it says that it was asked too often" }
      : unfound;
  }
  return readPlace(said);
}

type Said = Readonly<Record<string, unknown>>;

function parse(body: Uint8Array): Said | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    const said: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof said === "object" && said !== null && !Array.isArray(said) ? (said as Said) : undefined;
  } catch {
    // Not JSON; the caller says so.
    return undefined;
  }
}

/** How services say that they know nothing. */
function isRefusal(said: Said): boolean {
  return said["success"] === false || said["status"] === "fail" || said["error"] === true;
}

const spellings = [
  ["latitude", "longitude"],
  ["lat", "lon"],
] as const;

function readPlace(said: Said): LookupAnswer {
  const spelling = spellings.find(
    ([latitude, longitude]) => Object.hasOwn(said, latitude) && Object.hasOwn(said, longitude),
  );
  if (spelling === undefined) return notAPlace;
  const [latitude, longitude] = spelling.map((name) => said[name]);
  if (latitude === null && longitude === null) return unfound;
  const place = { latitude: readDegrees(latitude), longitude: readDegrees(longitude), label: null };
  const read = handPlace.safeParse(place);
  if (!read.success) return notAPlace;
  // Nobody's host stands there: it is what is said by a service that knows nothing.
  if (read.data.latitude === 0 && read.data.longitude === 0) return unfound;
  return { kind: "found", place: { ...read.data, label: chooseLabel(said) } };
}

function readDegrees(value: unknown): number | undefined {
  const isWritten = typeof value === "string" && /^-?[0-9]{1,3}(?:\.[0-9]{1,15})?$/.test(value);
  const degrees = isWritten ? Number(value) : value;
  // A place by an address is never better than a town: eleven metres are more than enough.
  return typeof degrees === "number" ? Math.round(degrees * 10_000) / 10_000 : undefined;
}

/** The most that can be shown as it is. A name with hidden signs is no name. */
function chooseLabel(said: Said): string | null {
  const city = textOf(said["city"]);
  const country = textOf(said["country"]) ?? textOf(said["country_name"]);
  const both = city === undefined || country === undefined ? undefined : `${city}, ${country}`;
  const fits = (text: string | undefined) => text !== undefined && handPlace.shape.label.safeParse(text).success;
  return [both, city, country].find(fits) ?? null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
