import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function TokensPage() {
  usePageTitle("Tokens");
  return <h1>Tokens</h1>;
}
