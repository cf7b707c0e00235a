import { type Clock, manualClock } from "@gatehouse/base";
import { openDecide } from "@gatehouse/store/decide";
import { memoryStore } from "@gatehouse/store/far";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { openIdentity } from "../../../apps/server/src/features/auth/index.ts";
import { openLog } from "../../../apps/server/src/platform/log/index.ts";
import { admin } from "../support/server.ts";

export interface SignInDoor extends AsyncDisposable {
  /** One refused attempt, and how long it took in milliseconds. */
  attempt(username: string): Promise<number>;
}

/**
 * The handler of the sign-in route, without sockets and with cheap passwords: nothing hides a difference between the
 * ways through it. Hours pass between two attempts, so that no account ever has to wait.
 */
export async function openSignInDoor(): Promise<SignInDoor> {
  const clock: Clock & { advance(ms: number): void } = manualClock();
  const never = () => () => undefined;
  const store = memoryStore();
  const identity = await openIdentity({
    store,
    decide: openDecide(store),
    telemetry: memoryTelemetry(),
    clock,
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
  return {
    attempt: async (username) => {
      clock.advance(2 * 60 * 60_000);
      const facts = { requestId: "req", method: "POST", path: login.spec.path, clientAddress: "127.0.0.1" };
      const call = {
        params: {},
        query: {},
        headers: {},
        body: { username, password: "not the password" },
        principal: undefined,
        nodes: undefined,
        request: { ...facts, now: clock.now() },
      };
      const from = performance.now();
      try {
        await login.handle(call);
      } catch {
        return performance.now() - from;
      }
      throw new Error("a wrong password was let in");
    },
    [Symbol.asyncDispose]: () => identity.close(),
  };
}
