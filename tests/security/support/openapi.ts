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

/** A WebSocket that it says it has. */
export interface DescribedSocket {
  readonly path: string;
  readonly from: string;
  readonly subprotocol?: string;
}

interface Described {
  readonly security?: unknown[];
  readonly description?: string;
  readonly "x-websocket"?: Omit<DescribedSocket, "path">;
}

/** The routes that a running server says it has, and the sockets, which take no plain request. */
export async function readOpenApi(
  port: number,
): Promise<{ readonly operations: readonly Operation[]; readonly sockets: readonly DescribedSocket[] }> {
  const { body } = await send(port, { path: "/api/openapi.json" });
  const { paths } = JSON.parse(body.toString("utf8")) as { paths: Record<string, Record<string, Described>> };
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, ...described })),
  );
  return {
    operations: all
      .filter((one) => one["x-websocket"] === undefined)
      .map(({ method, path, security, description }) => ({ method, path, security, description })),
    sockets: all.flatMap(({ path, "x-websocket": socket }) => (socket === undefined ? [] : [{ ...socket, path }])),
  };
}
