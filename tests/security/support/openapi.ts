import { send } from "./raw-http.ts";

export interface Operation {
  readonly method: string;
  /** With parameters as `{name}`. */
  readonly path: string;
  /** An empty list means that anybody may call it. */
  readonly security: readonly unknown[] | undefined;
  /** Who may call it, in words. */
  readonly description: string | undefined;
}

/** The routes that a running server says it has. */
export async function readOpenApi(port: number): Promise<{ readonly operations: readonly Operation[] }> {
  const { body } = await send(port, { path: "/api/openapi.json" });
  const { paths } = JSON.parse(body.toString("utf8")) as {
    paths: Record<string, Record<string, { security?: unknown[]; description?: string }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, description }]) => {
      return { method: method.toUpperCase(), path, security, description };
    }),
  );
  return { operations };
}
