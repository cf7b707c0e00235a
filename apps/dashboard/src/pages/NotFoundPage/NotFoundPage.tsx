import { useLocation } from "@tanstack/react-router";
import { ButtonLink } from "../../ui/Button.tsx";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";
import { Words } from "../../widgets/Words/Words.tsx";

export function NotFoundPage() {
  usePageTitle("No such page");
  const { pathname } = useLocation();
  return (
    <Words title="There is no page here" actions={<ButtonLink href="/">Go to the overview</ButtonLink>}>
      <p>
        Nothing stands at <code>{pathname}</code>.
      </p>
      <p>A page of a plugin exists only while that plugin is active and you hold the scope it asks for.</p>
    </Words>
  );
}
