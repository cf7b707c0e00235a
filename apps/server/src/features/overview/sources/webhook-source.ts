import { cutFindings, type OverviewSource, sayWhole } from "../overview-source.ts";

export interface WebhookSourceDeps {
  /** Those that are on and do not take notices. */
  readonly readFailing: () => Promise<readonly FailingWebhook[]>;
}

export interface FailingWebhook {
  readonly id: string;
  readonly name: string;
  readonly since: number;
  readonly reason: string;
}

export function webhookSource({ readFailing }: WebhookSourceDeps): OverviewSource {
  return {
    about: "webhooks",
    kinds: ["webhook"],
    read: async () => [
      cutFindings("webhook", await readFailing(), ({ id, name, reason, since }) => ({
        subject: { type: "webhook", id, name } as const,
        title: `The webhook ${name} takes no notices`,
        line: `${sayWhole(reason)} What it is to be told waits, and is told later.`,
        since,
      })),
    ],
  };
}
