import type { HandPlace } from "@gatehouse/contract";

/** A place as somebody typed it: two numbers and what it is called. */
export interface TypedPlace {
  readonly latitude: string;
  readonly longitude: string;
  readonly label: string;
}

type ReadPlace = { readonly place: HandPlace | null } | { readonly wrong: Partial<Record<keyof TypedPlace, string>> };

const mostLabel = 60;

/** Nothing typed takes a place away. A comma is read as a point: people write both. */
export function parsePlaceText({ latitude, longitude, label }: TypedPlace): ReadPlace {
  const called = label.trim();
  if (latitude.trim() === "" && longitude.trim() === "") {
    return called === "" ? { place: null } : { wrong: { latitude: "A label alone is no place." } };
  }
  const [north, east] = [degrees(latitude), degrees(longitude)];
  const wrong = {
    ...(!(Math.abs(north) <= 90) && { latitude: "A latitude is a number from -90 to 90: 50.11" }),
    ...(!(Math.abs(east) <= 180) && { longitude: "A longitude is a number from -180 to 180: 8.68" }),
    ...(called.length > mostLabel && { label: `A label has at most ${mostLabel} characters.` }),
  };
  if (Object.keys(wrong).length > 0) return { wrong };
  return { place: { latitude: north, longitude: east, label: called === "" ? null : called } };
}

export function writePlaceText(place: HandPlace | null): TypedPlace {
  if (place === null) return { latitude: "", longitude: "", label: "" };
  return { latitude: String(place.latitude), longitude: String(place.longitude), label: place.label ?? "" };
}

/** "Frankfurt (50.11, 8.68)" */
export function sayPlace({ latitude, longitude, label }: HandPlace): string {
  const where = `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;
  return label === null ? where : `${label} (${where})`;
}

function degrees(text: string): number {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  return /^[-+]?\d{1,3}(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}
