import type { TokenClass } from "@gatehouse/contract";

export const classWords: Readonly<Record<TokenClass, { label: string; hint: string }>> = {
  automation: {
    label: "Automation",
    hint: "For a script or a service whose every step you wrote. It may hold any scope that you hold.",
  },
  assistant: {
    label: "Assistant",
    hint: "For a program that talks to a language model. It reads and draws up plans; it can never approve, apply, open a terminal or administer.",
  },
};

const hour = 3_600;
const day = 24 * hour;

export const lifetimes: readonly { readonly value: string; readonly label: string }[] = [
  { value: String(hour), label: "1 hour" },
  { value: String(day), label: "1 day" },
  { value: String(7 * day), label: "7 days" },
  { value: String(30 * day), label: "30 days" },
  { value: String(90 * day), label: "90 days, the longest" },
];

export const usualLifetime = String(7 * day);
