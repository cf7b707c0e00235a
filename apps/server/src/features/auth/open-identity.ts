import { type Clock, runAll } from "@gatehouse/base";
import type { Scope } from "@gatehouse/contract";
import type { Secrets, Store } from "@gatehouse/store";
import type { Decide, Reads } from "@gatehouse/store/decide";
import type { Telemetry } from "@gatehouse/store/telemetry";
import type { Log } from "../../platform/log/index.ts";
import type { Authenticate, Principal, Route, WatchPrincipal } from "../../platform/route/index.ts";
import { authRoutes } from "./auth-routes.ts";
import { openAuthenticate } from "./authenticate.ts";
import { openDevices } from "./devices.ts";
import { type EndingTokensAsker, type EndingTokenView, listEndingTokens } from "./ending-tokens.ts";
import { ensureFirstAdmin } from "./first-admin.ts";
import { authLimits } from "./limits.ts";
import { openPasswords, type PasswordCost } from "@gatehouse/identity";
import { openPlaces } from "./places.ts";
import { primeThrottle } from "./prime-throttle.ts";
import { openRefusedAttempts } from "./refused-attempts.ts";
import type { CookieRules } from "./session-cookie.ts";
import { requireRights } from "./rights.ts";
import { openSweep } from "./sweep.ts";
import { openHeardPosition } from "./heard-position.ts";
import { openOwnDelays, openThrottle } from "./throttle.ts";
import { tokenRoutes } from "./token-routes.ts";
import { userRoutes } from "./user-routes.ts";
import { openUses } from "./uses.ts";
import { openWatch } from "./watch.ts";

export interface IdentityDeps {
  readonly store: Pick<Store, "get" | "list" | "commit" | "searchAudit" | "follow" | "head">;
  readonly telemetry: Pick<Telemetry, "touch" | "lastTouched" | "flush">;
  readonly decide: Decide;
  readonly secrets: Pick<Secrets, "seal" | "open">;
  readonly clock: Clock;
  /** From 0 up to 1: nobody shall know to the moment when an attempt is accepted. */
  readonly random: () => number;
  readonly log: Log;
  readonly cookie: CookieRules;
  /** SERVICE_SIGNIN_RATE, per address. */
  readonly signInsPerMinute: number;
  /** Looked at only while there is no user at all (contract 5.5). */
  readonly firstAdmin: { readonly username: string | undefined; readonly password: string | undefined };
  /** Calls again and again; returns the way to stop. */
  readonly every: (ms: number, act: () => void) => () => void;
  /** Calls once; returns the way to stop. */
  readonly after: (ms: number, act: () => void) => () => void;
  /** Cheaper passwords, for tests that are about something else. */
  readonly passwordCost?: PasswordCost;
}

export interface Identity {
  readonly authenticate: Authenticate;
  readonly watchPrincipal: WatchPrincipal;
  readonly requireRights: RequireRights;
  readonly routes: readonly Route[];
  /** Tokens that somebody may see and that end in a time. */
  listEndingTokens(
    asker: EndingTokensAsker,
    within: { readonly after: number; readonly before: number },
  ): Promise<readonly EndingTokenView[]>;
  /** Stops the timers and writes what was counted; the store must still be open. */
  close(): Promise<void>;
}

/**
 * Refuses a principal that no longer holds the scope. For a decision that comes later than the gate's: what it reads with
 * its own reads must still be so when it is kept (security class 17).
 */
export type RequireRights = (
  read: Reads,
  principal: Principal,
  asked: { readonly scope: Scope; readonly now: number },
) => Promise<void>;

/** Builds identity over a store, and the first owner if there is nobody. Rejects when nobody could ever sign in. */
export async function openIdentity(deps: IdentityDeps): Promise<Identity> {
  const { store, decide, telemetry, clock, random, log } = deps;
  const passwords = await openPasswords(deps.passwordCost, random);
  await ensureFirstAdmin({ store, passwords, clock, admin: deps.firstAdmin });
  const uses = openUses({ clock, telemetry });
  const refused = openRefusedAttempts({ store, log, clock });
  const throttle = openThrottle({ clock, random });
  const places = openPlaces();
  await primeThrottle({ store, throttle, places }, clock.now());
  const heard = await openHeardPosition(store);
  const watch = openWatch({ store, uses, clock, log, after: deps.after });
  const sweep = openSweep({ store, clock, uses });

  /** One at a time: a slow disk must not pile them up. */
  const background = (name: string, work: () => Promise<void>) => {
    let running: Promise<void> | undefined;
    const run = async () => {
      try {
        await work();
      } catch (error) {
        log.error(`${name} failed`, {}, error);
      } finally {
        running = undefined;
      }
    };
    return () => {
      running ??= run();
      return running;
    };
  };
  const flushing = background("writing refused sign-ins", () => refused.flush());
  const sweeping = background("sweeping ended credentials", sweep);
  const stops = [deps.every(minute, () => void flushing()), deps.every(authLimits.sweepEveryMs, () => void sweeping())];

  return {
    authenticate: openAuthenticate({ store, uses }),
    watchPrincipal: watch.watchPrincipal,
    listEndingTokens: (asker, within) => listEndingTokens(store, asker, within),
    requireRights: async (read, principal, { scope, now }) => void (await requireRights(read, principal, scope, now)),
    routes: [
      ...authRoutes({
        store,
        passwords,
        throttle,
        proofDelays: openOwnDelays({ clock, random }),
        devices: openDevices(deps.secrets),
        places,
        refused,
        uses,
        heard,
        decide,
        cookie: deps.cookie,
        signInsPerMinute: deps.signInsPerMinute,
      }),
      ...tokenRoutes({ store, uses, decide }),
      ...userRoutes({ store, passwords, decide }),
    ],
    close: () =>
      runAll([
        ...stops,
        () => watch.close(),
        () => heard.close(),
        // Whatever runs may have been given an older part of the counts.
        () => flushing(),
        () => refused.finish(),
        () => sweeping(),
      ]),
  };
}

const minute = 60_000;
