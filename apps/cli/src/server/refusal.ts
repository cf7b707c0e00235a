import { Fault } from "@gatehouse/base";
import { faults } from "@gatehouse/contract";
import { type Problem, problemSchema } from "@gatehouse/contract/routes";

export type CredentialKind = "token" | "session" | undefined;

/** A problem document as the refusal it was made from, with what to do on a command line. Undefined when it is none. */
export function findRefusal(document: unknown, headers: Headers, credential: CredentialKind): Fault | undefined {
  const read = problemSchema.safeParse(document);
  if (!read.success) return undefined;
  const { type: _, title, status, detail, code, requestId, todo, ...fields } = read.data satisfies Problem;
  return new Fault({
    kind: kindOf(code),
    code,
    title,
    // What a failing server says is only in its log, where it is found by this.
    detail: status >= 500 ? `${detail} (request ${requestId})` : detail,
    todo: whatToDo(code, headers, credential) ?? todo ?? "See docs/errors.md",
    fields: { ...fields, status, requestId },
  });
}

const withoutOffline = "Wait until it is back, or make the plan without it: --skip-offline";
const otherHosts =
  "Read why for each host. Take it back on the others with --node, and make a plan of your own for these: gatehouse plan create";
const publicName = "Name the server as SERVICE_PUBLIC_URL does: gatehouse login --server URL";

/** The server's advice is for every client. These are what it means for somebody with this program. */
const advice: Readonly<Record<string, Partial<Record<"token" | "session" | "none", string>>>> = {
  "auth.credential_refused": {
    session: "The session has ended. Sign in again: gatehouse login",
    token: "The token in GATEHOUSE_TOKEN is expired, revoked or of another server.",
  },
  "auth.step_up_required": {
    token: "A token cannot do this. Unset GATEHOUSE_TOKEN and sign in: gatehouse login",
  },
  "auth.session_required": {
    token: "A token cannot do this. Unset GATEHOUSE_TOKEN and sign in: gatehouse login",
  },
  "plan.node_offline": { session: withoutOffline, token: withoutOffline },
  "plan.not_undoable": { session: otherHosts, token: otherHosts },
  "auth.cross_site": { session: publicName, none: publicName },
  "request.unknown_host": { session: publicName, none: publicName, token: "Set GATEHOUSE_SERVER to its public URL." },
};

function whatToDo(code: string, headers: Headers, credential: CredentialKind): string | undefined {
  const wait = headers.get("retry-after");
  if (wait !== null && /^\d{1,6}$/.test(wait)) return `Try again in ${wait} s.`;
  return Object.hasOwn(advice, code) ? advice[code]?.[credential ?? "none"] : undefined;
}

/** A newer server may know codes that this program does not. */
function kindOf(code: string): Fault["kind"] {
  return Object.hasOwn(faults, code) ? faults[code as keyof typeof faults].kind : "failed";
}
