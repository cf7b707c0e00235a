import type { State } from "./StateMark.tsx";

export type ToastMessage = {
  id: number;
  state: State;
  text: string;
  action?: { label: string; href: string } | undefined;
};

const shownFor = 6000;
const most = 3;
const watchers = new Set<() => void>();
let messages: readonly ToastMessage[] = [];
let nextId = 1;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

/** Says that something happened. The page must show the same fact: a toast is never the only copy of it. */
export function toast(text: string, options: { state?: State; action?: ToastMessage["action"] } = {}): void {
  const message = { id: nextId++, state: options.state ?? "ok", text, action: options.action };
  for (const old of messages.slice(0, Math.max(0, messages.length + 1 - most))) stop(old.id);
  change([...messages, message].slice(-most));
  start(message.id);
}

export function dismiss(id: number): void {
  stop(id);
  change(messages.filter((message) => message.id !== id));
}

/** Nothing leaves while it is read. */
export function hold(): void {
  for (const id of timers.keys()) stop(id);
}

export function release(): void {
  for (const message of messages) start(message.id);
}

export function watchToasts(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

export function readToasts(): readonly ToastMessage[] {
  return messages;
}

function start(id: number): void {
  stop(id);
  timers.set(
    id,
    setTimeout(() => dismiss(id), shownFor),
  );
}

function stop(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

function change(next: readonly ToastMessage[]): void {
  messages = next;
  for (const watcher of watchers) watcher();
}
