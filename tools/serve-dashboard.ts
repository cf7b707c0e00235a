import { join } from "node:path";
import { createServer } from "vite";
import { root } from "./repository.ts";

export interface DashboardPlace {
  readonly port: number;
  /** Where calls of the API go; without it nothing answers them. */
  readonly api?: string;
  /** Says nothing of what it serves; for tests. */
  readonly quiet?: boolean;
}

export interface ServedDashboard extends AsyncDisposable {
  readonly url: string;
  /** Once a page was asked for: when every library it needs was found and bundled. */
  settled(): Promise<void>;
}

/** Vite serves the sources and hands every call of the API to the server, under one origin as in production. */
export async function serveDashboard({ port, api, quiet = false }: DashboardPlace): Promise<ServedDashboard> {
  const target = api?.replace(/\/$/, "");
  const vite = await createServer({
    configFile: join(root, "apps/dashboard/vite.config.ts"),
    logLevel: quiet ? "warn" : "info",
    server: {
      host: "127.0.0.1",
      port,
      ...(target !== undefined && { proxy: { "/api": { target, changeOrigin: false } } }),
    },
  });
  await vite.listen();
  const url = vite.resolvedUrls?.local[0] ?? `http://127.0.0.1:${port}/`;
  const settled = () => vite.waitForRequestsIdle();
  return { url, settled, [Symbol.asyncDispose]: () => vite.close() };
}
