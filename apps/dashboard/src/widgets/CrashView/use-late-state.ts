import { useSyncExternalStore } from "react";
import type { LateState } from "../../ui/late-files.ts";
import { lateFiles } from "../../ui/until-loaded.ts";

export function useLateState(): LateState {
  return useSyncExternalStore(
    (listener) => lateFiles.subscribe(listener),
    () => lateFiles.state,
  );
}
