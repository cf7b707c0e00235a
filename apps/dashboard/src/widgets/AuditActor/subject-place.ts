import type { Scope } from "@gatehouse/contract";

export interface SubjectPlace {
  /** Empty when the subject has no kind. */
  readonly kind: string;
  readonly id: string;
  readonly href: string | undefined;
}

interface Reader {
  readonly scopes: readonly Scope[];
  /** The reader's own session: of other people's there is no page. */
  readonly session: string;
}

/** Where the page of a subject is: `plugin/netguard` has one, `server/main` has none. */
export function subjectPlace(subject: string, reader: Reader): SubjectPlace {
  const slash = subject.indexOf("/");
  if (slash < 1) return { kind: "", id: subject, href: undefined };
  const kind = subject.slice(0, slash);
  const id = subject.slice(slash + 1);
  return { kind, id, href: hrefOf(kind, id, reader) };
}

function hrefOf(kind: string, id: string, { scopes, session }: Reader): string | undefined {
  switch (kind) {
    case "node":
      return scopes.includes("node:read") ? `/nodes/${encodeURIComponent(id)}` : undefined;
    case "plan":
      return scopes.includes("plan:read") ? `/plans/${encodeURIComponent(id)}` : undefined;
    case "alert-rule":
      return scopes.includes("node:read") ? `/alerts?rule=${encodeURIComponent(id)}` : undefined;
    case "artifact":
      return scopes.includes("plan:read") ? `/artifacts?artifact=${encodeURIComponent(id)}` : undefined;
    case "plugin":
      return scopes.includes("plugin:admin") ? `/plugins/${encodeURIComponent(id)}` : undefined;
    case "user":
      return scopes.includes("user:admin") ? `/users?user=${encodeURIComponent(id)}` : undefined;
    case "token":
      return `/tokens?token=${encodeURIComponent(JSON.stringify(id))}`;
    case "webhook":
      return scopes.includes("settings:admin") ? `/settings/webhooks?webhook=${encodeURIComponent(id)}` : undefined;
    case "session":
      return id === session ? "/settings/security" : undefined;
    default:
      return undefined;
  }
}
