import { useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

declare module "@tanstack/history" {
  interface HistoryState {
    /** The step that opened the sheet; going back from it closes it. */
    isSheet?: boolean;
  }
}

/** How the next address is entered. */
export interface Step {
  readonly replace: boolean;
  readonly state: { readonly isSheet?: boolean };
}

/**
 * A sheet that stands in the address is a step of its own, so that Back closes it. Another one in its place is the same step,
 * and closing it goes back. One that was opened by a link has no list behind it: it is closed where it stands.
 */
export function useSheetSteps(isOpen: boolean) {
  const router = useRouter();
  const isStep = useLocation({ select: ({ state }) => state.isSheet === true }) && isOpen;
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = false;
  }, [isOpen]);
  return {
    open: (go: (step: Step) => void): void => {
      const isSheet = isOpen ? isStep : true;
      go({ replace: isOpen, state: isSheet ? { isSheet } : {} });
    },
    close: (go: (step: Step) => void): void => {
      if (!isStep) return go({ replace: true, state: {} });
      // Going back takes a moment, in which a second Escape must not go back once more.
      if (isLeaving.current) return;
      isLeaving.current = true;
      router.history.back();
    },
  };
}
