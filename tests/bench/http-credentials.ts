/** Signs in to the server under measurement and issues a token, as an operator would. */
export async function credentials(base: string, password: string): Promise<{ cookie: string; token: string }> {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> => {
    const answer = await fetch(`${base}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: base, ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const signedIn = await post("/api/auth/login", { username: "admin", password });
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const issued = await post("/api/tokens", { name: "bench", scopes: ["node:admin"] }, { cookie });
  const { token } = (await issued.json()) as { token: string };
  return { cookie, token };
}
