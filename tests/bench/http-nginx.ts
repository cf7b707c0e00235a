import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Served } from "./http-load.ts";

/** nginx with one worker on the first core, serving the shell as a file, with sendfile and open-file cache on. */
export async function serveNginx(directory: string, shell: Uint8Array): Promise<Served> {
  const port = await freePort();
  mkdirSync(join(directory, "html"), { recursive: true });
  mkdirSync(join(directory, "logs"), { recursive: true });
  writeFileSync(join(directory, "html", "index.html"), shell);
  const configuration = `
    daemon off; user root; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/logs/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
      open_file_cache max=10 inactive=60s;
      types { text/html html; }
      client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy; fastcgi_temp_path ${directory}/fastcgi;
      uwsgi_temp_path ${directory}/uwsgi; scgi_temp_path ${directory}/scgi;
      server { listen 127.0.0.1:${port}; root ${directory}/html; }
    }`;
  writeFileSync(join(directory, "nginx.conf"), configuration);
  const child = spawn("taskset", ["-c", "0", "/usr/sbin/nginx", "-p", directory, "-c", join(directory, "nginx.conf")], {
    stdio: "inherit",
  });
  const deadline = Date.now() + 10_000;
  for (;;) {
    const ok = await fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) break;
    if (Date.now() > deadline || child.exitCode !== null) throw new Error("nginx did not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { port, stop: () => child.kill("SIGTERM") };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
