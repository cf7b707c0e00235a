import type { Config } from "./config.ts";
import { sessionCookieName } from "./edge/credential.ts";
import { type Identity, type IdentityDeps, openIdentity } from "./features/auth/index.ts";
import type { Authenticate, WatchPrincipal } from "./platform/route/index.ts";

export interface ComposeIdentityDeps
  extends Pick<IdentityDeps, "store" | "decide" | "secrets" | "telemetry" | "clock" | "log" | "every" | "after"> {
  readonly config: Pick<Config, "secureCookies" | "signinRate" | "adminUsername" | "adminPassword">;
  readonly given: GivenIdentity;
}

/** What stands in the place of identity as a whole, where it is handed in. */
export interface GivenIdentity {
  readonly authenticate?: Authenticate;
  readonly watchPrincipal?: WatchPrincipal;
}

/** Who asks and what they may: from the users and tokens of the store, unless it is handed in. */
export async function composeIdentity(deps: ComposeIdentityDeps): Promise<Identity> {
  const { config, given, store, decide, secrets, telemetry, clock, log, every, after } = deps;
  const identity = findGivenIdentity(given);
  if (identity !== undefined) return identity;
  return openIdentity({
    store,
    decide,
    secrets,
    telemetry,
    clock,
    random: Math.random,
    log,
    cookie: { name: sessionCookieName(config.secureCookies), secure: config.secureCookies },
    signInsPerMinute: config.signinRate.perMinute,
    firstAdmin: { username: config.adminUsername, password: config.adminPassword },
    every,
    after,
  });
}

function findGivenIdentity({ authenticate, watchPrincipal }: GivenIdentity): Identity | undefined {
  if (authenticate === undefined) return undefined;
  const never: WatchPrincipal = () => () => undefined;
  return {
    authenticate,
    watchPrincipal: watchPrincipal ?? never,
    // Whoever brings their own identity has no records of it in the store.
    requireRights: () => Promise.resolve(),
    listEndingTokens: () => Promise.resolve([]),
    routes: [],
    close: () => Promise.resolve(),
  };
}
