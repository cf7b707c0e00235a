import type { Role, Scope } from "@gatehouse/contract";
import { newClient } from "./new-client.ts";
import { type RawAnswer, send } from "./raw-http.ts";
import { admin } from "./server.ts";

export type Headers = readonly (readonly [string, string])[];

export interface Answer<Body> {
  readonly status: number;
  /** The code of a refusal. */
  readonly code: string | undefined;
  readonly body: Body;
  readonly raw: RawAnswer;
}

export interface Asked {
  /** The headers that say who asks. */
  readonly as?: Headers;
  readonly headers?: Headers;
  readonly body?: unknown;
}

/** One call of the API, from an address of its own where the server trusts its proxy. */
export async function call<Body = unknown>(
  port: number,
  method: string,
  path: string,
  { as = [], headers = [], body }: Asked = {},
): Promise<Answer<Body>> {
  const json = body === undefined ? [] : [["Content-Type", "application/json"] as const];
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const raw = await send(port, {
    method,
    path,
    headers: [newClient(), ...as, ...json, ...headers],
    ...text,
  });
  const isJson = raw.headers.get("content-type")?.includes("json") === true && raw.body.length > 0;
  const found = (isJson ? JSON.parse(raw.body.toString()) : undefined) as Body;
  const code = raw.status >= 400 ? (found as { code?: string } | undefined)?.code : undefined;
  return { status: raw.status, code, body: found, raw };
}

export interface WhoAmI {
  readonly user: { readonly id: string; readonly username: string; readonly role: Role };
  readonly credential: { readonly kind: string; readonly id: string };
  readonly scopes: readonly Scope[];
}

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  /** The session they began with. */
  readonly sessionId: string;
  /** `name=value`, as a browser sends it back. */
  readonly cookie: string;
  readonly as: Headers;
}

export function ofCookie(cookie: string): Headers {
  return [
    ["Cookie", cookie],
    ["Sec-Fetch-Site", "same-origin"],
  ];
}

export function ofToken(token: string): Headers {
  return [["Authorization", `Bearer ${token}`]];
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ raw }: Pick<Answer<unknown>, "raw">): string {
  return raw.headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** Signs somebody in, or fails. */
export async function enter(
  port: number,
  { username, password }: { readonly username: string; readonly password: string } = admin,
): Promise<Person> {
  const answer = await call<WhoAmI>(port, "POST", "/api/auth/login", { body: { username, password } });
  if (answer.status !== 200) throw new Error(`${username} was answered ${answer.status} ${answer.code}`);
  const cookie = cookieOf(answer);
  const { user, credential } = answer.body;
  return { id: user.id, username, password, sessionId: credential.id, cookie, as: ofCookie(cookie) };
}

/** Creates a user and signs them in. */
export async function newPerson(port: number, owner: Person, role: Role, username: string = role): Promise<Person> {
  const password = `the ${username} keeps otters`;
  const made = await call(port, "POST", "/api/users", { as: owner.as, body: { username, role, password } });
  if (made.status !== 201) throw new Error(`creating ${username} was answered ${made.status} ${made.code}`);
  return enter(port, { username, password });
}

export interface Issued {
  readonly id: string;
  readonly token: string;
  readonly as: Headers;
}

/** Issues a token of a person's own; `nodes` are the only ones it is for. */
export async function newToken(
  port: number,
  { as }: Pick<Person, "as">,
  scopes: readonly Scope[],
  nodes?: readonly string[],
): Promise<Issued> {
  const made = await call<Issued>(port, "POST", "/api/tokens", { as, body: { name: "a test", scopes, nodes } });
  if (made.status !== 201) throw new Error(`issuing a token was answered ${made.status} ${made.code}`);
  return { id: made.body.id, token: made.body.token, as: ofToken(made.body.token) };
}

/** Changes a user in the version that is current, and gives the answer. */
export async function change(port: number, as: Headers, id: string, body: { role?: Role; disabled?: boolean }) {
  const shown = await call(port, "GET", `/api/users/${id}`, { as });
  const headers = [["If-Match", shown.raw.headers.get("etag") ?? '"1"']] as const;
  return call<{ role: Role; disabled: boolean }>(port, "PATCH", `/api/users/${id}`, { as, headers, body });
}

/** Removes a user in the version that is current, and gives the answer. */
export async function remove(port: number, as: Headers, id: string) {
  const shown = await call(port, "GET", `/api/users/${id}`, { as });
  const headers = [["If-Match", shown.raw.headers.get("etag") ?? '"1"']] as const;
  return call(port, "DELETE", `/api/users/${id}`, { as, headers });
}

export interface AuditItem {
  readonly position: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The whole audit log, the oldest first. */
export async function readAudit(port: number, as: Headers): Promise<AuditItem[]> {
  const items: AuditItem[] = [];
  for (let cursor = ""; ; ) {
    const page = await call<{ items: AuditItem[]; nextCursor: string | null }>(
      port,
      "GET",
      `/api/audit?limit=200${cursor}`,
      { as },
    );
    if (page.status !== 200) throw new Error(`the audit log was answered ${page.status} ${page.code}`);
    items.push(...page.body.items);
    if (page.body.nextCursor === null) return items.reverse();
    cursor = `&cursor=${page.body.nextCursor}`;
  }
}

/** Users, tokens and the newest position: what every change of identity moves. When a thing was last used is no change. */
export async function everythingOf(port: number, owner: Pick<Person, "as">): Promise<string> {
  const read = async (path: string) => {
    const { status, body } = await call<{ items: Record<string, unknown>[] }>(port, "GET", path, { as: owner.as });
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
    return body.items.map((item) => ({ ...item, lastUsedAt: null, lastAddress: null }));
  };
  return JSON.stringify([
    await read("/api/users?limit=200"),
    await read("/api/tokens?limit=200"),
    await read("/api/audit?limit=1"),
  ]);
}
