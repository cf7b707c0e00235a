import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function PluginPage() {
  usePageTitle("Plugin");
  return <h1>Plugin</h1>;
}
