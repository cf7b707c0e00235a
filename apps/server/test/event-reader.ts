import { expect, onTestFinished } from "vitest";
import type { Visitor } from "./visitor.ts";

/** Somebody's stream of events, over the real route: the events of one name in their order. */
export async function readStream(url: string, { cookie, bearer }: Visitor) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const headers = {
    ...(cookie !== undefined && { Cookie: cookie }),
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
  };
  const response = await fetch(`${url}/api/events`, { headers, signal: stop.signal });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  const read = new Map<string, number>();
  return {
    next: async (name: string): Promise<unknown> => {
      for (;;) {
        const all = [...text.matchAll(/event: (\w+)\n(?:id: \d+\n)?data: (.*)\n\n/g)].filter(([, of]) => of === name);
        const seen = read.get(name) ?? 0;
        const found = all[seen];
        if (found !== undefined) {
          read.set(name, seen + 1);
          return JSON.parse(found[2] ?? "");
        }
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended without ${name}`);
        text += decoder.decode(value, { stream: true });
      }
    },
  };
}
