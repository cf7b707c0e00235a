import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function AppPage() {
  usePageTitle("App");
  return <h1>App</h1>;
}
