import { type Scope, scopes } from "@gatehouse/contract";
import { useWhoAmI } from "../../api/auth.ts";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

/** Entries one may not use are absent; a deep link to one ends here, with the name of what is missing. */
export function MissingScopePage({ scope }: { readonly scope: Scope }) {
  usePageTitle("Not for you");
  const { user } = useWhoAmI();
  const { says, roles } = scopes[scope];
  return (
    <section>
      <h1>This page needs a scope you do not hold</h1>
      <p>
        It needs <code>{scope}</code>: {says}
      </p>
      <p>
        You are signed in as <b>{user.username}</b> with the role {user.role}. The roles that hold it:{" "}
        {roles.join(", ")}. An owner can change your role under Users.
      </p>
    </section>
  );
}
