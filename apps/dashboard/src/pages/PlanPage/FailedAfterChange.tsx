import type { PlanTask } from "@gatehouse/contract/routes";
import { Banner } from "../../ui/Banner.tsx";
import { isServiceDown } from "../../widgets/Plans/task-words.ts";

/** The loudest that a host can say: first on the page, whatever else it holds. */
export function FailedAfterChange({ tasks }: { readonly tasks: readonly PlanTask[] }) {
  const failed = tasks.filter(({ state }) => state === "failed_after_change");
  const down = failed.filter(isServiceDown);
  return (
    <>
      <HalfChanged hosts={failed.filter((task) => !isServiceDown(task))} />
      {down.length > 0 && (
        <Banner state="bad" live title={lookAt(down)}>
          A service that ran there is down; everything else was put back. Below is the last that it said.
        </Banner>
      )}
    </>
  );
}

function HalfChanged({ hosts }: { readonly hosts: readonly PlanTask[] }) {
  if (hosts.length === 0) return null;
  return (
    <Banner state="bad" live title={lookAt(hosts)}>
      {hosts.length === 1 ? "It was" : "They were"} changed, and what was there could not wholly be put back. On the
      host <code>gatehouse-agent status</code> says what is wrong, and <code>gatehouse-agent rollback</code> tries
      again.
    </Banner>
  );
}

const mostNamed = 3;

function lookAt(hosts: readonly PlanTask[]): string {
  const named = hosts.slice(0, mostNamed).map(({ name }) => name);
  const more = hosts.length > mostNamed ? ` and ${(hosts.length - mostNamed).toLocaleString("en-GB")} more` : "";
  return `Look at ${named.join(", ")}${more} now.`;
}
