import { expect, test } from "vitest";
import { send } from "./support/raw-http.ts";
import { signIn } from "./support/sign-in.ts";
import { startServer } from "./support/server.ts";
import { tried } from "./support/tried.ts";

/** Ours, 0.1.5: an https public URL alone gave cookies without Secure and without the prefix, and said nothing. */
const publicUrl = { SERVICE_PUBLIC_URL: "https://console.example.test" };

async function seen(env: Readonly<Record<string, string>>) {
  await using server = await startServer({ env: { SERVICE_TRUST_PROXY: "1", ...env } });
  const person = await signIn(server.port);
  const { headers } = await send(server.port, { path: "/login" });
  const out = await send(server.port, person.as({ method: "POST", path: "/api/auth/logout" }));
  const cookies = [person.setCookie, out.headers.get("set-cookie") ?? ""];
  return {
    secure: cookies.map((cookie) => cookie.startsWith("__Host-") && /; Secure(;|$)/.test(cookie)),
    transport: headers.get("strict-transport-security"),
    warned: server.stdout().includes("SERVICE_SECURE_COOKIES=0"),
  };
}

test("with an https public URL cookies are secure and browsers are told so; whoever switches it off hears of it", async (context) => {
  const [unset, off] = await Promise.all([seen(publicUrl), seen({ ...publicUrl, SERVICE_SECURE_COOKIES: "0" })]);
  expect(unset).toEqual({ secure: [true, true], transport: "max-age=31536000", warned: false });
  expect(off).toEqual({ secure: [false, false], transport: undefined, warned: true });
  tried(context, "an https public URL alone, and with secure cookies switched off");
});
