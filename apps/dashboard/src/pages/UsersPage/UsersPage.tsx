import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function UsersPage() {
  usePageTitle("Users");
  return <h1>Users</h1>;
}
