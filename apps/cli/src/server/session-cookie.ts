export interface Cookie {
  readonly name: string;
  readonly value: string;
}

/** The two names there are: with secure cookies and without. */
const names: readonly string[] = ["__Host-gatehouse", "gatehouse"];
const valueForm = /^[A-Za-z0-9._~-]{1,512}$/;

export function isSessionCookie({ name, value }: Cookie): boolean {
  return names.includes(name) && valueForm.test(value);
}

/** The session cookie an answer sets; undefined when it sets none, or takes it away. */
export function findSessionCookie(headers: Headers): Cookie | undefined {
  return headers.getSetCookie().map(parseCookie).find(isSessionCookie);
}

function parseCookie(line: string): Cookie {
  const [pair = ""] = line.split(";", 1);
  const equals = pair.indexOf("=");
  return { name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() };
}
