import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function MarketplacePage() {
  usePageTitle("Marketplace");
  return <h1>Marketplace</h1>;
}
