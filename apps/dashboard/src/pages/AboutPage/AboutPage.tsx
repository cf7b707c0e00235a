import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function AboutPage() {
  usePageTitle("About");
  return <h1>About</h1>;
}
