import { type Fault } from "@gatehouse/base";
import { fault, type FaultCode } from "@gatehouse/contract";

/** A refusal of one host, with its own code and its name: whoever reads it knows where to look. */
export function refuseForHost({ node, name }: { readonly node: string; readonly name: string }, error: Fault): Error {
  return fault(error.code as FaultCode, `${name}: ${error.detail}`, {
    fields: { nodes: [{ node, name }] },
    cause: error,
  });
}
