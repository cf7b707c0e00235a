import { useSyncExternalStore } from "react";
import type { LateState } from "../../api/late-files.ts";
import { lateFiles } from "../../api/until-loaded.ts";

export function useLateState(): LateState {
  return useSyncExternalStore(
    (listener) => lateFiles.subscribe(listener),
    () => lateFiles.state,
  );
}
