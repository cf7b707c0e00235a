import { admin, type World } from "./world.ts";

/** The API as somebody else uses it while the browser looks on. */
export interface Api {
  /** Bytes are sent as they are, everything else as JSON. */
  readonly call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Called>;
  readonly move: (id: string, ...steps: readonly string[]) => Promise<void>;
  readonly newUser: (username: string, role: string) => Promise<{ readonly id: string }>;
}

export interface Called {
  readonly status: number;
  readonly etag: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const json = { "Content-Type": "application/json" };
const octets = { "Content-Type": "application/octet-stream" };

export const userPassword = "several otters in a boat";

export async function openApi(world: Pick<World, "baseUrl">, who = admin): Promise<Api> {
  const login = await fetch(`${world.baseUrl}/api/auth/login`, {
    method: "POST",
    headers: json,
    body: JSON.stringify(who),
  });
  await login.body?.cancel();
  if (login.status !== 200) throw new Error(`${who.username} was answered ${login.status}`);
  const own = { Cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "", "Sec-Fetch-Site": "same-origin" };
  const call: Api["call"] = async (method, path, body, headers = {}) => {
    const isBytes = body instanceof Uint8Array;
    const answer = await fetch(`${world.baseUrl}${path}`, {
      method,
      headers: { ...own, ...headers, ...(body !== undefined && (isBytes ? octets : json)) },
      ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const found = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: answer.status, etag: answer.headers.get("etag") ?? "", body: found };
  };
  return {
    call,
    move: async (id, ...steps) => {
      for (const status of steps) {
        const { status: answered, body } = await call("POST", "/api/plugins/lifecycle", { id, status });
        if (answered !== 200) throw new Error(`${id} to ${status} was answered ${answered} ${JSON.stringify(body)}`);
      }
    },
    newUser: async (username, role) => {
      const { status, body } = await call("POST", "/api/users", { username, role, password: userPassword });
      if (status !== 201) throw new Error(`creating ${username} was answered ${status} ${JSON.stringify(body)}`);
      return body as { id: string };
    },
  };
}
