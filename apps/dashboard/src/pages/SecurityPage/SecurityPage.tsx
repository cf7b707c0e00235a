import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function SecurityPage() {
  usePageTitle("Security");
  return <h1>Security</h1>;
}
