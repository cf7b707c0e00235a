import { Empty } from "../../ui/Empty.tsx";

/** How the first plan is made. */
export function NoPlans() {
  return (
    <Empty
      title="No plans yet"
      command="gatehouse plan create --restart nginx.service --tag web"
      commandLabel="To make one on the command line"
    >
      <p>
        A plan says what would change on which hosts, beside what is there now. The hosts are asked first, and the lint
        looks for what would cut somebody off; then others review it.
      </p>
      <p>
        Here, New plan composes one for any number of hosts. Making one needs the scope plan:create, and changes no
        host.
      </p>
    </Empty>
  );
}
