import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function PluginsPage() {
  usePageTitle("Lifecycle");
  return <h1>Lifecycle</h1>;
}
