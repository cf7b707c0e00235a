import type { Broker, PlanBroker } from "./broker-client.ts";
import type { Description, Health, Json, PlanDraftLike, PlanQuestion } from "./wire.ts";

/** The three things a plugin is asked. It has no other way to act, and none of them changes a host. */
export interface PluginSpec<Input, Draft extends PlanDraftLike = PlanDraftLike> {
  /** What this plugin is, and what it knows of the fleet map. */
  describe(broker: Broker): Description | Promise<Description>;
  /** Whether it can do its work. */
  health(broker: Broker): Health | Promise<Health>;
  /** Turns the recorded input into a typed one, or throws why it cannot: `refuse("greeting: …")`. */
  readInput(input: Json): Input;
  /** Draws up a plan. The same question must give the same plan: no clock, no chance, no question to anybody. */
  plan(question: PlanQuestion<Input>, broker: PlanBroker): Draft | Promise<Draft>;
}

export interface Plugin {
  readonly actions: {
    readonly describe: (broker: Broker) => Promise<unknown>;
    readonly health: (broker: Broker) => Promise<unknown>;
    readonly plan: (broker: PlanBroker, question: PlanQuestion) => Promise<unknown>;
  };
}

export function definePlugin<Input, Draft extends PlanDraftLike>(spec: PluginSpec<Input, Draft>): Plugin {
  return {
    actions: {
      describe: async (broker) => spec.describe(broker),
      health: async (broker) => spec.health(broker),
      plan: async (broker, { input, nodes }) => spec.plan({ input: spec.readInput(input), nodes }, broker),
    },
  };
}

/** A planned no: its words reach the operator as they are. Any other error is shown as a defect of the plugin. */
export class PluginRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PluginRefusal";
  }
}

export function refuse(message: string): never {
  throw new PluginRefusal(message);
}
