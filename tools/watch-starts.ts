import { subscribe, unsubscribe } from "node:diagnostics_channel";

export interface Starts {
  /** What was started since it was asked last. */
  take(): ("a process" | "a thread")[];
  close(): void;
}

/** Sees every program and thread that this process starts and goes on beside. What ends within one call, `mkfifo` say, is not seen. */
export function watchStarts(): Starts {
  const started: ReturnType<Starts["take"]> = [];
  const onProcess = () => void started.push("a process");
  const onThread = () => void started.push("a thread");
  subscribe("child_process", onProcess);
  subscribe("worker_threads", onThread);
  return {
    take: () => started.splice(0),
    close: () => {
      unsubscribe("child_process", onProcess);
      unsubscribe("worker_threads", onThread);
    },
  };
}
