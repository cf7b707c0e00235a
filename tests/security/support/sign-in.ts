import { newClient } from "./new-client.ts";
import { type RawAnswer, type RequestOptions, send } from "./raw-http.ts";
import { admin } from "./server.ts";

export interface SignedIn {
  /** `name=value`, as a browser sends it back. */
  readonly cookie: string;
  /** What the server set, with all of its attributes. */
  readonly setCookie: string;
  /** The same request with the session, from the console's own page. */
  as(request: RequestOptions): RequestOptions;
}

/** Signs in at a server that trusts its proxy. */
export async function signIn(port: number, password: string = admin.password): Promise<SignedIn> {
  const answer = await send(port, signInRequest({ username: admin.username, password }));
  const setCookie = answer.headers.get("set-cookie");
  if (answer.status !== 200 || setCookie === undefined) throw new Error(`signing in was answered ${told(answer)}`);
  const [cookie = ""] = setCookie.split(";");
  const own = [
    ["Cookie", cookie],
    ["Sec-Fetch-Site", "same-origin"],
  ] as const;
  return {
    cookie,
    setCookie,
    as: (request) => ({ ...request, headers: [...own, newClient(), ...(request.headers ?? [])] }),
  };
}

/** Issues a token that holds nothing but `node:read`, and gives its text. */
export async function issueToken(port: number, signedIn: SignedIn): Promise<string> {
  const body = JSON.stringify({ name: "a test", scopes: ["node:read"] });
  const headers = [["Content-Type", "application/json"]] as const;
  const answer = await send(port, signedIn.as({ method: "POST", path: "/api/tokens", headers, body }));
  if (answer.status !== 201) throw new Error(`issuing a token was answered ${told(answer)}`);
  return (JSON.parse(answer.body.toString()) as { token: string }).token;
}

export function signInRequest(body: unknown): RequestOptions {
  const headers = [newClient(), ["Content-Type", "application/json"]] as const;
  return { method: "POST", path: "/api/auth/login", headers, body: JSON.stringify(body) };
}

function told({ status, body }: RawAnswer): string {
  return `${status} ${body.toString().slice(0, 300)}`;
}
