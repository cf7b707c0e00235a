import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../support/child-environment.ts";
import { stopMs } from "../support/stopped.ts";

const main = join(import.meta.dirname, "../../apps/server/src/main.ts");
const metricsToken = "hostile0metrics0token0hostile0metrics0token";
const admin = { username: "hostile-admin", password: "correct-horse-battery-staple" };

interface AuditPage {
  readonly items: readonly { position: number; outcome: string; action: string; subject: string }[];
  readonly nextCursor: string | null;
}

/** The real program in a directory of its own, as an operator would start it. */
export class ServerUnderTest {
  readonly port: number;
  readonly directory: string;
  readonly #child: ChildProcess;
  readonly #output: { text: string };

  constructor(child: ChildProcess, directory: string, port: number, output: { text: string }) {
    this.#child = child;
    this.directory = directory;
    this.port = port;
    this.#output = output;
  }

  /** Every line it has logged so far. */
  logLines(): string[] {
    return this.#output.text.split("\n").filter((line) => line !== "");
  }

  isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Digests of the files whose bytes only a change may change. The mark that a group is durable follows it after a while,
   * whether anybody asks something or not.
   */
  stateFiles(): string {
    const kept = readdirSync(this.directory).filter((name) =>
      /^(state\.json|state\.json\.audit-wal|master\.key)$/.test(name),
    );
    return kept
      .toSorted()
      .map(
        (name) =>
          `${name} ${createHash("sha256")
            .update(readFileSync(join(this.directory, name), "latin1").replaceAll(/\n\{"synced":.*\}\n/g, ""))
            .digest("hex")}`,
      )
      .join(", ");
  }

  /** Position and files that belong together: read again when something was recorded in between. */
  async state(): Promise<{ position: number; files: string }> {
    for (;;) {
      const position = await this.metric("gatehouse_audit_position");
      const files = this.stateFiles();
      if ((await this.metric("gatehouse_audit_position")) === position) return { position, files };
    }
  }

  secrets(): string[] {
    const key = readFileSync(join(this.directory, "master.key"), "utf8").trim();
    return [key, this.directory, metricsToken, admin.password];
  }

  /** Signs in and takes a token that can read a little and change nothing. */
  async issueToken(): Promise<string> {
    const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${this.port}${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", ...headers },
      });
    const signedIn = await send("/api/auth/login", admin);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const issued = await send("/api/tokens", { name: "hostile", scopes: ["audit:read", "node:read"] }, { cookie });
    const { token } = (await issued.json()) as { token?: unknown };
    if (typeof token !== "string") throw new Error(`no token: ${signedIn.status}, ${issued.status}`);
    return token;
  }

  /** Audit records after a position that tell of something done, not of something refused. */
  async doneSince(position: number, token: string): Promise<string[]> {
    const done: string[] = [];
    let cursor = "";
    do {
      const url = `http://127.0.0.1:${this.port}/api/audit?limit=200${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const page = (await (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).json()) as AuditPage;
      const fresh = page.items.filter((item) => item.position > position);
      done.push(
        ...fresh.filter(({ outcome }) => outcome !== "refused").map(({ action, subject }) => `${action} ${subject}`),
      );
      cursor = fresh.length === page.items.length ? (page.nextCursor ?? "") : "";
    } while (cursor !== "");
    return done;
  }

  async isHealthy(): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/health`, { signal: AbortSignal.timeout(stopMs) });
    return answer.status === 200 && (await answer.text()) === '{"status":"ok"}';
  }

  async metric(name: string): Promise<number> {
    const headers = { Authorization: `Bearer ${metricsToken}` };
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/metrics`, {
      headers,
      signal: AbortSignal.timeout(stopMs),
    });
    const [, value] = new RegExp(`^${name} ([0-9.e+]+)$`, "m").exec(await answer.text()) ?? [];
    return Number(value);
  }

  /** Its exit code after SIGTERM. */
  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => {
      this.#child.once("exit", (code) => resolve(code));
    });
    if (!this.isRunning()) return this.#child.exitCode;
    this.#child.kill("SIGTERM");
    const code = await ended;
    rmSync(this.directory, { recursive: true, force: true });
    return code;
  }
}

export async function startServer(): Promise<ServerUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-hostile-"));
  const env = childEnvironment({
    SERVICE_DATA_DIR: directory,
    SERVICE_LISTEN: "127.0.0.1:0",
    SERVICE_API_RATE: "100000,100000",
    SERVICE_TRUST_PROXY: "1",
    SERVICE_METRICS_TOKEN: metricsToken,
    SERVICE_ACCESS_LOG: "1",
    SERVICE_LOG_FORMAT: "json",
    SERVICE_ADMIN_USERNAME: admin.username,
    SERVICE_ADMIN_PASSWORD: admin.password,
  });
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { text: "" };
  const collect = (chunk: Buffer) => {
    output.text += chunk.toString("utf8");
  };
  child.stderr.on("data", collect);
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      collect(chunk);
      const [, found] = /"message":"listening".*"port":([0-9]+)/.exec(output.text) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    child.once("exit", () => reject(new Error(`the server did not start: ${output.text}`)));
  });
  return new ServerUnderTest(child, directory, port, output);
}
