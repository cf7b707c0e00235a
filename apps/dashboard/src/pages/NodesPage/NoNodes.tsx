import type { ReactNode } from "react";
import { Empty } from "../../ui/Empty.tsx";

/** The way from nothing to the first host. */
export function NoNodes({ action }: { readonly action: ReactNode }) {
  return (
    <Empty title="No nodes yet" command="gatehouse node enrol" commandLabel="Also on the command line" action={action}>
      <p>
        A node is a host that runs the agent. The agent connects to this server by itself; nothing here connects to a
        host. It is enrolled with a line that somebody runs there once, as root.
      </p>
      <p>
        A new host starts as <b>monitor</b>: this server can look at it and change nothing, until root on that host says
        otherwise.
      </p>
      {action === false && <p>Enrolling one needs the scope node:admin.</p>}
    </Empty>
  );
}
