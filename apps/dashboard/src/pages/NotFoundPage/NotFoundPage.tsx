import { Link, useLocation } from "@tanstack/react-router";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function NotFoundPage() {
  usePageTitle("No such page");
  const { pathname } = useLocation();
  return (
    <section>
      <h1>There is no page here</h1>
      <p>
        Nothing of Gatehouse stands at <code>{pathname}</code>. A page of a plugin is here only while that plugin is
        active.
      </p>
      <p>
        <Link to="/">Go to the overview</Link>
      </p>
    </section>
  );
}
