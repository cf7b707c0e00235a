import * as z from "zod";
import { partPublicKey, partState, partSubject } from "../host-parts.ts";
import { nodeId } from "../node-id.ts";
import { nodeName, nodeTags } from "../node-names.ts";
import { planSize } from "../plan-size.ts";
import { anyJson } from "./any-json.ts";

/** How much one question may name. Its bytes are bounded by `actionLimits.questionBytes`. */
export const planQuestionLimits = { nodes: planSize.nodes, addresses: 64, addressCharacters: 64, states: 64 } as const;

const toldPart = z.strictObject({
  subject: partSubject,
  state: partState,
  /** The public half of the key that the host keeps for a WireGuard interface; the host signed it. */
  publicKey: partPublicKey.exactOptional(),
});

/** A node that a plan is asked for, with what its host said of the parts that the plan would replace. */
export const planNode = z.strictObject({
  id: nodeId,
  name: nodeName,
  tags: nodeTags,
  /** As the host told them; none until it has. */
  addresses: z.array(z.string().max(planQuestionLimits.addressCharacters)).max(planQuestionLimits.addresses),
  /** Empty while the server asks which parts a plan would replace. */
  states: z
    .array(toldPart)
    .max(planQuestionLimits.states)
    .refine((all) => isRising(all.map(({ subject }) => subject)), "must be sorted by subject, each once"),
});
export type PlanNode = z.output<typeof planNode>;

export const planNodes = z
  .array(planNode)
  .max(planQuestionLimits.nodes)
  .refine((all) => isRising(all.map(({ id }) => id)), "must be sorted by id, each once");

/**
 * The params of `plan`: everything that a plan depends on, and so everything that has to be recorded to draw it up again. One
 * question has one spelling: nodes are sorted by id, states by subject.
 */
export const planQuestion = z.strictObject({ input: anyJson, nodes: planNodes });
export type PlanQuestion = z.output<typeof planQuestion>;

function isRising(names: readonly string[]): boolean {
  return names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name);
}
