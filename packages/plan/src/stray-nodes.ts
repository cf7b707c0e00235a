import type { PlanDraft } from "./plan-document.ts";

/** Nodes that a draft has a section for and that nobody asked about: their hosts are not part of what was wanted. */
export function findStrayNodes({ sections }: PlanDraft, asked: readonly { readonly id: string }[]): string[] {
  const ids = new Set(asked.map(({ id }) => id));
  return sections.map(({ node }) => node).filter((node) => !ids.has(node));
}
