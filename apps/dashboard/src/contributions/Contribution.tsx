import type { ComponentKey } from "@gatehouse/contract";
import { Suspense } from "react";
import { Skeleton } from "../ui/Skeleton.tsx";
import { components } from "./components.ts";
import type { ContributionProps } from "./contribution-props.ts";

/** The component of a key, loaded when it is first shown. */
export function Contribution({ component, ...props }: ContributionProps & { readonly component: ComponentKey }) {
  const Component = components[component];
  if (Component === null || typeof Component === "string") return null;
  return (
    <Suspense fallback={<Skeleton shape="title" label={`Loading ${props.title}`} />}>
      <Component {...props} />
    </Suspense>
  );
}
