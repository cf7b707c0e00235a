import { type Clock, manualClock } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";
import { ephemeralSecrets } from "@gatehouse/store";
import { openDecide } from "@gatehouse/store/decide";
import { memoryStore } from "@gatehouse/store/far";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { openIdentity } from "../../../apps/server/src/features/auth/index.ts";
import { openLog } from "../../../apps/server/src/platform/log/index.ts";
import { admin } from "../support/server.ts";

export interface SignInDoor extends AsyncDisposable {
  /** One refused attempt, and how long it took in milliseconds. */
  attempt(username: string): Promise<number>;
  /** What a refused attempt is told, while the clock stands still. */
  answer(username: string, address: string): Promise<{ readonly code: string; readonly retryAfter: unknown }>;
}

/**
 * The handler of the sign-in route, without sockets and with cheap passwords: nothing hides a difference between the
 * ways through it. Days pass between two attempts, so that no account ever has to wait.
 */
export async function openSignInDoor(): Promise<SignInDoor> {
  const clock: Clock & { advance(ms: number): void } = manualClock();
  const never = () => () => undefined;
  const store = memoryStore();
  const identity = await openIdentity({
    store,
    decide: openDecide(store),
    secrets: ephemeralSecrets(),
    telemetry: memoryTelemetry(),
    clock,
    random: () => 0,
    log: openLog({ format: "json", write: () => undefined }),
    cookie: { name: "gatehouse", secure: false },
    signInsPerMinute: 1_000,
    firstAdmin: admin,
    every: never,
    after: never,
    passwordCost: { memory: 64, passes: 1, lanes: 1 },
  });
  const login = identity.routes.find(({ spec }) => spec.path === "/api/auth/login");
  if (login === undefined) throw new Error("there is no sign-in route");
  const handle = (username: string, clientAddress: string, password = "not the password") =>
    login.handle({
      params: {},
      query: {},
      headers: {},
      body: { username, password },
      principal: undefined,
      nodes: undefined,
      request: { requestId: "req", method: "POST", path: login.spec.path, clientAddress, now: clock.now() },
    });
  // A user who is known in many places is refused by the same steps in another.
  for (let at = 0; at < 20; at += 1) await handle(admin.username, `172.16.${at}.1`, admin.password);
  return {
    attempt: async (username) => {
      clock.advance(2 * 24 * 60 * 60_000);
      const from = performance.now();
      try {
        await handle(username, "127.0.0.1");
      } catch {
        return performance.now() - from;
      }
      throw new Error("a wrong password was let in");
    },
    answer: async (username, address) => {
      try {
        await handle(username, address);
      } catch (error) {
        if (isFault(error)) return { code: error.code, retryAfter: error.fields["retryAfter"] };
        throw error;
      }
      throw new Error("a wrong password was let in");
    },
    [Symbol.asyncDispose]: () => identity.close(),
  };
}
