import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { stopMs } from "../../support/stopped.ts";
import { until } from "../../support/until.ts";
import { freshDirectory } from "./directories.ts";
import { root } from "./process-driver.ts";
import { endOf, startProgram } from "./program.ts";

const program = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((file) => existsSync(file));

/** The name in the site file; requests name it as their Host. */
export const siteName = "gatehouse.example.com";

export interface NginxOptions {
  /** Where the server under test listens: `127.0.0.1:PORT`. */
  readonly upstream: string;
  /** Also installs the two files for an origin behind a CDN; its range is then this address. */
  readonly cdnAddress?: string;
  /** Leaves 127.0.0.1 as the only loopback peer, so that other loopback addresses can play strangers. */
  readonly narrowLoopback?: boolean;
  /** What an operator's nginx.conf says to all sites. */
  readonly globally?: string;
  /** How long ordinary requests may be silent, in place of the 300 seconds of the site file. */
  readonly ordinaryTimeout?: string;
  /** Where the site is and what it shows; otherwise it is on free ports of the loopback, with a certificate of its own. */
  readonly site?: Site;
}

export interface Site {
  readonly name: string;
  readonly address: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Files in PEM. */
  readonly certificate: string;
  readonly key: string;
}

export interface Nginx {
  readonly httpsUrl: string;
  readonly httpUrl: string;
  /** Where port 80 looks for challenges of a certificate renewal. */
  readonly challenges: string;
  /** The whole configuration in force, as `nginx -T` prints it. */
  readonly config: string;
  /** Installs the files anew and reloads, as an operator does. Connections of before stay with what they were made to. */
  reload(options: NginxOptions): Promise<void>;
  stop(): Promise<void>;
}

/** A real nginx with the shipped files installed as their comments say, changed only in names, ports and places. */
export async function startNginx(options: NginxOptions): Promise<Nginx> {
  if (program === undefined) throw new Error("nginx is not installed: apt-get install nginx-light");
  const place = freshDirectory();
  const site = options.site ?? (await siteOfItsOwn(place));
  const words = ["-p", place, "-c", join(place, "nginx.conf")];
  const config = install(program, place, { ...options, site });
  const nginx = startProgram(program, words, { env: {} });
  await nginx.err.waitFor(/start worker process \d+/);
  return {
    httpUrl: `http://${site.address}:${site.httpPort}`,
    httpsUrl: `https://${site.address}:${site.httpsPort}`,
    challenges: join(place, "acme/.well-known/acme-challenge"),
    config,
    reload: async (changed) => {
      const count = (pattern: RegExp) => nginx.err.matching(pattern).length;
      const [begun, ended] = [/start worker process \d+/, /gracefully shutting down/];
      const before = [count(begun), count(ended)] as const;
      install(program, place, { ...changed, site: changed.site ?? site });
      nginx.signal("SIGHUP");
      await until("nginx works by its new files", () => count(begun) > before[0] && count(ended) > before[1]);
    },
    stop: async () => {
      nginx.signal("SIGTERM");
      await endOf(nginx, stopMs, "nginx");
    },
  };
}

/** Throws with nginx's own words when it does not take the directives in its main context. */
export function checkMainConfig(directives: string, connections: number): void {
  if (program === undefined) throw new Error("nginx is not installed: apt-get install nginx-light");
  const place = freshDirectory();
  const config = join(place, "nginx.conf");
  writeFileSync(config, `pid nginx.pid;\n${directives}\nevents { worker_connections ${connections}; }\n`);
  const { status, stderr } = spawnSync(program, ["-p", place, "-c", config, "-e", "stderr", "-t"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

type Installed = NginxOptions & { readonly site: Site };

/** Gives the whole configuration as nginx reads it; refuses one that it would not take. */
function install(nginx: string, place: string, options: Installed): string {
  for (const folder of ["conf.d", "sites-enabled", "gatehouse.d", "tmp", "acme/.well-known/acme-challenge"]) {
    mkdirSync(join(place, folder), { recursive: true });
  }
  writeFileSync(join(place, "nginx.conf"), mainConfig(options.globally ?? ""));
  writeFileSync(join(place, "sites-enabled/gatehouse.conf"), siteFile(place, options));
  if (options.cdnAddress !== undefined) {
    const addresses = addressFile(options.cdnAddress, options.narrowLoopback);
    writeFileSync(join(place, "conf.d/cdn-real-address.conf"), addresses);
    writeFileSync(join(place, "gatehouse.d/origin-lock.conf"), shipped("origin-lock.conf"));
  }
  const words = ["-p", place, "-c", join(place, "nginx.conf"), "-T"];
  return execFileSync(nginx, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function siteFile(place: string, { upstream, site, ordinaryTimeout }: Installed): string {
  const certificates = `/etc/letsencrypt/live/${siteName}`;
  const text = replaceEach(shipped("gatehouse.conf"), {
    "server 127.0.0.1:8088;": `server ${upstream};`,
    "    listen 80;\n    listen [::]:80;\n": `    listen ${site.address}:${site.httpPort};\n`,
    "    listen 443 ssl;\n    listen [::]:443 ssl;\n": `    listen ${site.address}:${site.httpsPort} ssl;\n`,
    [`${certificates}/fullchain.pem`]: site.certificate,
    [`${certificates}/privkey.pem`]: site.key,
    "/var/www/acme": join(place, "acme"),
    ...(ordinaryTimeout === undefined ? {} : { "proxy_read_timeout 300s;": `proxy_read_timeout ${ordinaryTimeout};` }),
  });
  return text.replaceAll(siteName, site.name);
}

function addressFile(cdn: string, narrowLoopback = false): string {
  const first = "173.245.48.0/20";
  return replaceEach(shipped("cdn-real-address.conf"), {
    [`set_real_ip_from ${first};`]: `set_real_ip_from ${cdn}/32;\nset_real_ip_from ${first};`,
    [`    ${first}     cdn;`]: `    ${cdn}/32 cdn;\n    ${first}     cdn;`,
    ...(narrowLoopback ? { "127.0.0.0/8         loopback;": "127.0.0.1/32 loopback;" } : {}),
  });
}

/** The part of nginx.conf that a distribution ships: where sites and global files are taken from. */
function mainConfig(globally: string): string {
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
  ${globally}
  include conf.d/*.conf;
  include sites-enabled/*;
}
`;
}

export function shipped(name: string): string {
  return readFileSync(join(root, "deploy/nginx", name), "utf8");
}

/** Each text must be there exactly once: a file that no longer has it would be tested as something else. */
function replaceEach(text: string, replacements: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [from, to] of Object.entries(replacements)) {
    const parts = result.split(from);
    if (parts.length !== 2)
      throw new Error(`expected once in the shipped file, found ${parts.length - 1} times: ${from}`);
    result = parts.join(to);
  }
  return result;
}

async function siteOfItsOwn(place: string): Promise<Site> {
  const [httpPort, httpsPort] = await freePorts();
  const [certificate, key] = [join(place, "certificate.pem"), join(place, "key.pem")];
  makeCertificate(certificate, key);
  return { name: siteName, address: "127.0.0.1", httpPort, httpsPort, certificate, key };
}

function makeCertificate(certificate: string, keyFile: string): void {
  const subject = ["-subj", `/CN=${siteName}`, "-addext", `subjectAltName=DNS:${siteName}`];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const files = ["-keyout", keyFile, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-days", "2", ...key, ...subject, ...files], { stdio: "ignore" });
}

/** Two ports that are free now. They are held together, so that they differ. */
export async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return [ports[0] ?? 0, ports[1] ?? 0];
}
