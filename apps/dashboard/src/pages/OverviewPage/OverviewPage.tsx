import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function OverviewPage() {
  usePageTitle("Overview");
  return <h1>Overview</h1>;
}
