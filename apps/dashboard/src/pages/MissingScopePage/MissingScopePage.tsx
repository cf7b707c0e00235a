import { type Scope, scopes } from "@gatehouse/contract";
import { useWhoAmI } from "../../api/auth.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";
import { Words } from "../../widgets/Words/Words.tsx";

/** Entries one may not use are absent; a deep link to one ends here, with the name of what is missing. */
export function MissingScopePage({ scope }: { readonly scope: Scope }) {
  usePageTitle("Scope missing");
  const { user } = useWhoAmI();
  const { says, roles } = scopes[scope];
  return (
    <Words title={`This page needs ${scope}`} actions={<ButtonLink href="/">Go to the overview</ButtonLink>}>
      <p>
        The scope <code>{scope}</code> lets its holder do this: {says}
      </p>
      <p>
        You are signed in as <b>{user.username}</b> with the role <b>{user.role}</b>, which does not hold it. It is held
        by: {roles.join(", ")}. An owner can change your role.
      </p>
    </Words>
  );
}
