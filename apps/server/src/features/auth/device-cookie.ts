import { authLimits } from "./limits.ts";
import { type CookieRules, sessionCookie } from "./session-cookie.ts";

/** The session cookie's name with a word more: the same prefix, and the same rules. */
function nameOf({ name }: CookieRules): string {
  return `${name}-device`;
}

/** As hard as the session cookie; it outlives the session, because it is about the next sign-in. */
export function deviceCookie(rules: CookieRules, value: string): string {
  return sessionCookie({ ...rules, name: nameOf(rules) }, value, authLimits.deviceMs / 1_000);
}

/** The value that a request carries. Of two, neither: somebody else has planted one of them. */
export function findDeviceCookie(rules: CookieRules, header: string | undefined): string | undefined {
  const name = nameOf(rules);
  const values = (header ?? "").split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
  const [value = ""] = values;
  return values.length === 1 && form.test(value) ? value : undefined;
}

const form = /^[A-Za-z0-9._-]{1,512}$/;
