import { expect, test } from "vitest";
import { deviceCookie, findDeviceCookie } from "./device-cookie.ts";

const secure = { name: "__Host-gatehouse", secure: true };
const plain = { name: "gatehouse", secure: false };

test("it is as hard as the session cookie, and lasts a year", () => {
  const year = 365 * 24 * 60 * 60;
  expect(deviceCookie(secure, "value")).toBe(
    `__Host-gatehouse-device=value; Path=/; Max-Age=${year}; HttpOnly; SameSite=Strict; Secure`,
  );
  expect(deviceCookie(plain, "value")).toBe(
    `gatehouse-device=value; Path=/; Max-Age=${year}; HttpOnly; SameSite=Strict`,
  );
});

test("it is found among others, and only under its exact name", () => {
  expect(findDeviceCookie(plain, "a=b; gatehouse=s; gatehouse-device=v.1_2-3")).toBe("v.1_2-3");
  for (const header of [
    "gatehouse=s",
    "xgatehouse-device=v",
    "gatehouse-device2=v",
    "gatehouse-device",
    "",
    undefined,
  ]) {
    expect(findDeviceCookie(plain, header), header).toBeUndefined();
  }
  expect(findDeviceCookie(secure, "gatehouse-device=v")).toBeUndefined();
});

test("two of them, an empty one or one of another form are none", () => {
  for (const header of [
    "gatehouse-device=a; gatehouse-device=b",
    "gatehouse-device=",
    "gatehouse-device=a b",
    `gatehouse-device=${"v".repeat(513)}`,
  ]) {
    expect(findDeviceCookie(plain, header), header.slice(0, 60)).toBeUndefined();
  }
});
