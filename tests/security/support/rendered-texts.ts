/** What `nft -f` may be given by us, line by line. Anything else in it came from a field. */
const word = "[A-Za-z0-9][A-Za-z0-9._-]*";
const set = (item: string) => `\\{ ${item}(?:, ${item})* \\}`;
const network = "[0-9a-f.:]+/[0-9]+";
const rule = [
  `(?:iifname ${set(`"${word}"`)} )?`,
  `(?:ip6? saddr ${set(network)} )?`,
  `(?:ct state ${set("(?:new|established|related|invalid)")} )?`,
  `(?:(?:tcp|udp) dport ${set("[0-9]+(?:-[0-9]+)?")} |icmp(?:v6)? type ${set("[a-z0-9-]+")} |meta l4proto [a-z0-9-]+ )?`,
  `(?:accept|drop|reject) comment "[A-Za-z0-9 ._:/-]+"`,
].join("");
const chain = (hook: string) =>
  `  chain ${hook} \\{\\n    type filter hook ${hook} priority filter; policy (?:accept|drop);\\n(?:    ${rule}\\n)*  \\}\\n`;
const table = "gatehouse_[a-z][a-z0-9_]*";
export const firewallText = new RegExp(
  `^add table inet (${table})\\ndelete table inet \\1\\ntable inet \\1 \\{\\n${chain("input")}(?:${chain("forward")})?\\}\\n$`,
);

/** What `wg setconf` may be given. No private key, no hook, no comment: none of them has a line here. */
const peer = [
  "\\n\\[Peer\\]",
  "PublicKey = [A-Za-z0-9+/]{43}=",
  `(?:Endpoint = (?:\\[[0-9a-f:]+\\]|[0-9.]+):[0-9]+\\n)?AllowedIPs = ${network}(?:, ${network})*`,
].join("\\n");
export const wireguardText = new RegExp(
  `^\\[Interface\\]\\nListenPort = [0-9]+\\n(?:${peer}\\n(?:PersistentKeepalive = [0-9]+\\n)?)*$`,
);

/** What `ip -batch` may be given: one interface in every line, and nothing behind it. */
const lines = [
  "link set dev (wg[a-z0-9]{1,12}) down",
  "address flush dev \\1",
  "link set dev \\1 mtu [0-9]+",
  `address add ${network} dev \\1(?:\\naddress add ${network} dev \\1)*`,
  `link set dev \\1 up(?:\\nroute add ${network} dev \\1)*`,
].join("\\n");
export const linkText = new RegExp(`^${lines}\\n$`);

/** A word that every program takes for what it is, wherever it stands among its arguments. */
export const plainArgument = /^(?:[A-Za-z0-9/_]|::)[A-Za-z0-9._:@+=/-]*$/;
