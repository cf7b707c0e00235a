import { handPlace } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { parsePlaceText, sayPlace, writePlaceText } from "./place-text.ts";

const typed = (latitude: string, longitude: string, label = "") => ({ latitude, longitude, label });

test("two numbers are a place, with a comma or a point, with a label or none", () => {
  expect(parsePlaceText(typed(" 50,11 ", "-8.68", " Frankfurt "))).toEqual({
    place: { latitude: 50.11, longitude: -8.68, label: "Frankfurt" },
  });
  expect(parsePlaceText(typed("−33.87", "151.2"))).toEqual({
    place: { latitude: -33.87, longitude: 151.2, label: null },
  });
});

test("nothing typed takes the place away, and a label alone is none", () => {
  expect(parsePlaceText(typed("", " "))).toEqual({ place: null });
  expect(parsePlaceText(typed("", "", "Frankfurt"))).toEqual({ wrong: { latitude: "A label alone is no place." } });
});

test.each([
  ["91", "8"],
  ["50", ""],
  ["50", "181"],
  ["fifty", "8"],
  ["5e1", "8"],
  ["0x10", "8"],
])("%j, %j is told where it is wrong", (latitude, longitude) => {
  expect(parsePlaceText(typed(latitude, longitude))).toHaveProperty("wrong");
});

test("the page and the server agree what a place is", () => {
  const edges = [typed("90", "-180"), typed("-90", "180", "x".repeat(60)), typed("50", "8", "x".repeat(61))];
  const verdicts = edges.map((one) => {
    const read = parsePlaceText(one);
    const asServer = { latitude: Number(one.latitude), longitude: Number(one.longitude), label: one.label || null };
    return ["place" in read, handPlace.safeParse(asServer).success];
  });
  expect(verdicts).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ]);
});

test("a place is written as it is read, and said in one line", () => {
  const place = { latitude: 50.11, longitude: 8.68, label: "Frankfurt" };
  expect(parsePlaceText(writePlaceText(place))).toEqual({ place });
  expect(parsePlaceText(writePlaceText(null))).toEqual({ place: null });
  expect([sayPlace(place), sayPlace({ ...place, label: null })]).toEqual(["Frankfurt (50.11, 8.68)", "50.11, 8.68"]);
});
