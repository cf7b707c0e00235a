import { fault } from "@gatehouse/contract";
import {
  endOtherSessionsRoute,
  endSessionRoute,
  loginRoute,
  logoutRoute,
  passwordRoute,
  sessionsRoute,
  stepUpRoute,
  whoAmIRoute,
} from "@gatehouse/contract/routes";
import type { SessionRecord, UserRecord } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { type Principal, Reply, type Route, route } from "../../platform/route/index.ts";
import { sessionPrincipal } from "./authenticate.ts";
import { deviceCookie, findDeviceCookie } from "./device-cookie.ts";
import type { DeviceOwner } from "./devices.ts";
import type { HeardPosition } from "./heard-position.ts";
import { endSessions, type ProofDeps, provePassword, renewSession, requireSession } from "./own-session.ts";
import { checkNewPassword, findUser, readCredentials, sessionKeyOfRef, tokenKey } from "@gatehouse/identity";
import { clearedCookie, type CookieRules, sessionCookie } from "./session-cookie.ts";
import { signIn, type SignInDeps } from "./sign-in.ts";
import type { Uses } from "./uses.ts";
import { type CredentialTerms, jsonReply, viewPrincipal, viewSession } from "./views.ts";

export interface AuthRoutesDeps extends SignInDeps, ProofDeps {
  readonly store: Pick<Store, "get" | "commit">;
  readonly uses: Uses;
  readonly heard: Pick<HeardPosition, "now">;
  readonly cookie: CookieRules;
  /** SERVICE_SIGNIN_RATE. */
  readonly signInsPerMinute: number;
}

export function authRoutes(deps: AuthRoutesDeps): readonly Route[] {
  const { store, cookie, signInsPerMinute } = deps;
  const login = { ...loginRoute, rate: { perMinute: signInsPerMinute, burst: signInsPerMinute } };
  const cookieOf = ({ session, value }: Pick<Made, "session" | "value">, now: number) =>
    sessionCookie(cookie, value, (session.expiresAt - now) / 1_000);
  /** Knows the browser again at its next sign-in. */
  const deviceOf = (owner: DeviceOwner, now: number) => deviceCookie(cookie, deps.devices.issue(owner, now));
  /** The answer that carries a session's new value. */
  const withCookie = (made: Made, now: number, more: readonly string[] = []) => {
    const { user, session } = made;
    const principal = sessionPrincipal(session, user);
    const data = viewPrincipal({ principal, user, terms: session, position: deps.heard.now() });
    return jsonReply(200, data, { "Set-Cookie": [cookieOf(made, now), ...more] });
  };
  const signedOut = () => new Reply({ status: 204, headers: { "Set-Cookie": clearedCookie(cookie) } });

  return [
    route(login, async ({ body, headers, request }) => {
      const device = findDeviceCookie(cookie, headers.cookie);
      const made = await signIn(deps, { ...body, userAgent: headers["user-agent"], device }, request);
      return withCookie(made, request.now, [deviceOf(made.user, request.now)]);
    }),
    route(logoutRoute, async ({ principal, request }) => {
      requireSession(principal);
      const { id } = principal.credential;
      const subject = `session/${id}`;
      await endSessions(deps, principal, request, { action: "auth.signed_out", subject, ends: (own) => own.id === id });
      return signedOut();
    }),
    route(stepUpRoute, async ({ principal, body, request }) => {
      const proved = await provePassword(deps, principal, body.password, request);
      const how = { action: "auth.stepped_up", proved, keep: () => true } as const;
      return withCookie(await renewSession(deps, principal, request, how), request.now);
    }),
    route(whoAmIRoute, async ({ principal }) => {
      const position = deps.heard.now();
      const user = await findUser(store, principal.id);
      const terms = await findTerms(store, principal);
      if (user === undefined || terms === undefined) throw ended();
      return viewPrincipal({ principal, user: user.value, terms, position });
    }),
    route(sessionsRoute, async ({ principal, query }) => {
      requireSession(principal);
      const { sessions } = (await readCredentials(store, principal.id)).value;
      // In the order of their ids, which is the order in which they began: the cursor is an id.
      const inOrder = sessions.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const wanted = inOrder.filter(({ id }) => query.cursor === undefined || id > query.cursor);
      const limit = Number(query.limit ?? 100);
      const found = await Promise.all(wanted.slice(0, limit).map((ref) => store.get(sessionKeyOfRef(ref))));
      const uses = await deps.uses.find(wanted.slice(0, limit).map(({ id }) => id));
      const items = found.flatMap((one) =>
        one === undefined ? [] : [viewSession(one.value, uses.get(one.value.id), principal.credential.id)],
      );
      return { items, nextCursor: wanted.length > limit ? (items.at(-1)?.id ?? null) : null };
    }),
    route(endOtherSessionsRoute, async ({ principal, request }) => {
      requireSession(principal);
      await endSessions(deps, principal, request, {
        action: "auth.sessions_ended",
        subject: `user/${principal.id}`,
        ends: ({ id }) => id !== principal.credential.id,
      });
      return undefined;
    }),
    route(endSessionRoute, async ({ principal, params, request }) => {
      requireSession(principal);
      const { id } = params;
      const which = {
        action: "auth.session_ended",
        subject: `session/${id}`,
        ends: (own: { id: string }) => own.id === id,
      } as const;
      const gone = await endSessions(deps, principal, request, which);
      if (gone.length === 0) throw fault("session.unknown", `you have no session ${id}`);
      return id === principal.credential.id ? signedOut() : undefined;
    }),
    route(passwordRoute, async ({ principal, body, request }) => {
      const proved = await provePassword(deps, principal, body.currentPassword, request);
      checkNewPassword(body.newPassword, proved.username);
      const passwordHash = await deps.passwords.hash(body.newPassword);
      const how = { action: "auth.password_changed", proved, passwordHash, keep: () => false } as const;
      const made = await renewSession(deps, principal, request, how);
      // The old password's devices and places are strange from now on; this one has just proved itself.
      const owner = { id: principal.id, passwordChangedAt: request.now };
      deps.places.remember(owner, request.clientAddress);
      const cookies = [cookieOf(made, request.now), deviceOf(owner, request.now)];
      return new Reply({ status: 204, headers: { "Set-Cookie": cookies } });
    }),
  ];
}

interface Made {
  readonly user: UserRecord;
  readonly session: SessionRecord;
  readonly value: string;
}

async function findTerms(
  store: Pick<Store, "get">,
  { id, credential }: Principal,
): Promise<CredentialTerms | undefined> {
  if (credential.kind === "token") return (await store.get(tokenKey(credential.id)))?.value;
  const { sessions } = (await readCredentials(store, id)).value;
  return sessions.find((own) => own.id === credential.id);
}

function ended(): Error {
  return fault("auth.credential_refused", "the credential has ended meanwhile");
}
