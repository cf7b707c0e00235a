import { editsIn } from "../edit.ts";

/** Contract 4.2, 4.3, 7 and 8: the files that an operator installs in front of the server. */
export const proxyEdits = [
  ...editsIn("deploy/compose/compose.yaml", [
    { id: "4.2-1", old: '- "127.0.0.1:8088:8088"', new: '- "0.0.0.0:8088:8088"', by: "nothing else" },
  ]),
  ...editsIn("deploy/nginx/gatehouse.conf", [
    {
      id: "4.2-2",
      old: "    location / {\n        proxy_pass",
      new: "    location /api/ {\n        proxy_pass",
      by: "terminated",
    },
    {
      id: "4.2-3",
      old: "Host              $http_host;",
      new: "Host              $proxy_host;",
      by: "`Host` unchanged",
    },
    { id: "4.2-4", old: "Connection        $gatehouse_connection;", new: 'Connection        "";', by: "HTTP/1.1" },
    { id: "4.2-4b", old: "        proxy_read_timeout 1h;\n", new: "", by: "idle channel" },
    { id: "4.2-5", old: "    proxy_cache off;\n", new: "", by: "never cached" },
    { id: "4.2-8", old: "client_max_body_size 50m;", new: "client_max_body_size 40m;", by: "50 MiB" },
    { id: "4.2-9", old: "try_files $uri =404;", new: "return 404;", by: "renewal" },
    {
      id: "4.2-9b",
      old: "return 301 https://$server_name$request_uri;",
      new: "proxy_pass http://gatehouse;",
      by: "redirects",
    },
    { id: "8-2", old: "client_max_body_size 50m;", new: "client_max_body_size 100m;", by: "50 MiB" },
    {
      id: "8-3",
      old: "    proxy_read_timeout 300s;",
      new: "    proxy_read_timeout 30s;",
      by: "WebSocket paths have longer",
    },
    {
      id: "4.3-8",
      old: "listen [::]:80;\n    server_name gatehouse.example.com;\n",
      new: "listen [::]:80;\n    server_name gatehouse.example.com;\n    include gatehouse.d/*.conf;\n",
      by: "Port 80",
    },
  ]),
  ...editsIn("deploy/nginx/cdn-real-address.conf", [
    {
      id: "4.3-3",
      old: "set_real_ip_from 173.245.48.0/20;",
      new: "set_real_ip_from 173.245.48.0/20;\nset_real_ip_from 127.0.0.0/8;",
      by: "published address ranges",
    },
    { id: "4.3-3b", old: "set_real_ip_from 2400:cb00::/32;\n", new: "", by: "exactly the same" },
    { id: "4.3-7", old: "geo $realip_remote_addr", new: "geo $remote_addr", by: "original peer" },
  ]),
  ...editsIn("deploy/nginx/origin-lock.conf", [
    { id: "4.3-6", old: "return 403;", new: "return 404;", by: "straight to the origin" },
    { id: "4.3-9", old: "= stranger)", new: "= cdn)", by: "through the CDN" },
    { id: "7-8", old: "= stranger)", new: "= nobody)", by: "straight to the origin" },
  ]),
];
