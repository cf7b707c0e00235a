import { mkdir, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { endOf, startProgram } from "../../acceptance/driver/program.ts";
import { stopMs } from "../../support/stopped.ts";
import { makeScratch } from "./scratch.ts";

export interface AppendingNginx extends AsyncDisposable {
  readonly port: number;
}

/** A real nginx as textbooks have it: it appends to the forwarded-for chain, and passes every other header on as it came. */
export async function startAppendingNginx(upstream: number): Promise<AppendingNginx> {
  const program = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((file) => existsSync(file));
  if (program === undefined) throw new Error("nginx is not installed: apt-get install nginx-light");
  const scratch = await makeScratch();
  await mkdir(join(scratch.path, "tmp"));
  const port = await freePort();
  const config = join(scratch.path, "nginx.conf");
  await writeFile(config, configOf(upstream, port));
  const nginx = startProgram(program, ["-p", scratch.path, "-c", config], { env: {} });
  await nginx.err.waitFor(/start worker process \d+/);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      nginx.signal("SIGTERM");
      await endOf(nginx, stopMs, "nginx");
      await scratch[Symbol.asyncDispose]();
    },
  };
}

function configOf(upstream: number, port: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path tmp/${kind};`,
  );
  return `${process.getuid?.() === 0 ? "user root;" : ""}
worker_processes 1;
daemon off;
error_log stderr notice;
pid nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.join(" ")}
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_pass http://127.0.0.1:${upstream};
    }
  }
}
`;
}

async function freePort(): Promise<number> {
  const held = createServer().listen(0, "127.0.0.1");
  await once(held, "listening");
  const { port } = held.address() as { port: number };
  held.close();
  await once(held, "close");
  return port;
}
