import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function AuditPage() {
  usePageTitle("Audit");
  return <h1>Audit</h1>;
}
