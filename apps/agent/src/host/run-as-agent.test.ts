import { expect, test } from "vitest";
import { asAgentArguments } from "./run-as-agent.ts";

test("what root starts to speak with a server has the user and every limit of the agent's unit, and no more", () => {
  const args = asAgentArguments("/usr/lib/gatehouse/gatehouse-agent", ["enrol-exchange", "--json"]);
  for (const wanted of [
    "--pipe",
    "--wait",
    "--property=DynamicUser=yes",
    "--property=User=gatehouse-agent",
    "--property=SupplementaryGroups=gatehouse",
    "--property=StateDirectory=gatehouse-agent",
    "--property=CapabilityBoundingSet=",
    "--property=NoNewPrivileges=yes",
    "--property=RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
  ]) {
    expect(args).toContain(wanted);
  }
  expect(args.filter((each) => /=(Restart|ExecStart|Type)/.test(each))).toEqual([]);
  expect(args.slice(args.indexOf("--"))).toEqual([
    "--",
    "/usr/lib/gatehouse/gatehouse-agent",
    "enrol-exchange",
    "--json",
  ]);
});
