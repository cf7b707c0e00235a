import type { Node } from "@gatehouse/contract/routes";
import { Badge } from "../../ui/Badge.tsx";

/** How much a host lets be done to it: a low ceiling or a high one, and its word. */
export function CeilingBadge({ facts }: Pick<Node, "facts">) {
  if (facts === null) return <Badge look="plain">not told yet</Badge>;
  return <CeilingWord level={facts.mode} />;
}

export function CeilingWord({ level }: { readonly level: string }) {
  const isLow = level === "monitor";
  return (
    <Badge look={isLow ? "plain" : "firm"}>
      <svg
        width="10"
        height="10"
        viewBox="0 0 10 10"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        aria-hidden="true"
      >
        <path d={isLow ? "M1 9V6.3h8V9" : "M1 9V1.8h8V9"} />
      </svg>
      {level}
    </Badge>
  );
}
