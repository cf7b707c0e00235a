import { ephemeralSecrets } from "@gatehouse/store";
import { expect, test } from "vitest";
import { openDevices } from "./devices.ts";
import { authLimits } from "./limits.ts";

const secrets = ephemeralSecrets();
const devices = openDevices(secrets);
const ada = { id: "usr_ada", passwordChangedAt: 5 };
const now = 1_000;

test("a browser is known again, each cookie as a device of its own", () => {
  const [first, second] = [devices.issue(ada, now), devices.issue(ada, now)];
  expect(first).toMatch(/^[A-Za-z0-9._-]{1,512}$/);
  expect(devices.find(first, ada, now)).toBe(devices.find(first, ada, now + 1));
  expect(devices.find(first, ada, now)).not.toBe(devices.find(second, ada, now));
});

test("a cookie is worth nothing for another user, for nobody, after another password, or after a year", () => {
  const value = devices.issue(ada, now);
  expect(devices.find(value, { id: "usr_bob", passwordChangedAt: 5 }, now)).toBeUndefined();
  expect(devices.find(value, undefined, now)).toBeUndefined();
  expect(devices.find(value, { ...ada, passwordChangedAt: 6 }, now)).toBeUndefined();
  expect(devices.find(value, ada, now + authLimits.deviceMs - 1)).toBeDefined();
  expect(devices.find(value, ada, now + authLimits.deviceMs)).toBeUndefined();
});

test("a cookie that was changed, cut or made with another key is a stranger's", () => {
  const value = devices.issue(ada, now);
  const foreign = openDevices(ephemeralSecrets()).issue(ada, now);
  const end = value.endsWith("A") ? "B" : "A";
  for (const text of [foreign, `${value.slice(0, -1)}${end}`, value.slice(0, -4), `${value}AAAA`, "", "x", "...."]) {
    expect(devices.find(text, ada, now), text).toBeUndefined();
  }
  const notOurs = secrets.seal({ kind: "device", id: ada.id, field: "cookie" }, "{}").replaceAll(":", ".");
  expect(devices.find(notOurs, ada, now)).toBeUndefined();
});
