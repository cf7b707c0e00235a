const allow = ["firewall.apply:gatehouse_edge", "service.restart:nginx.service", "file.write:/etc/nginx"];

/** Of a host whose approvers sign. */
export const managedCeiling = { allow, level: "managed", schema: 1 };

/** Of a host that takes its server's word. */
export const serverCeiling = { ...managedCeiling, accepts: "server", keep: ["tcp/22:198.51.100.0/24"] };
