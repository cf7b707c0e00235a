import { type Capability, type CapabilityRisk, capabilities } from "@gatehouse/contract";
import { fieldLine } from "./field-lines.ts";

/** How far it reaches, in the words an operator reads before accepting. */
const reach: Readonly<Record<CapabilityRisk, string>> = {
  own: "own things",
  fleet: "fleet",
  network: "NETWORK",
  host: "HOST RISK",
};

export interface NamedCapability {
  readonly name: Capability;
  readonly risk: CapabilityRisk;
}

export function withRisk(names: Iterable<Capability>): NamedCapability[] {
  return Array.from(names, (name) => ({ name, risk: capabilities[name].risk }));
}

/** A line for each, the first with the field's name before it. */
export function capabilityLines(named: readonly NamedCapability[], field = "may"): string[] {
  if (named.length === 0) return [fieldLine(field, "nothing: it declares no capability")];
  const width = Math.max(...named.map(({ name }) => name.length));
  const risks = Math.max(...named.map(({ risk }) => reach[risk].length));
  return named.map(({ name, risk }, index) =>
    fieldLine(
      index === 0 ? field : "",
      `${name.padEnd(width)}  ${reach[risk].padEnd(risks)}  ${capabilities[name].says}`,
    ),
  );
}
