/** `host:port`, as it is dialled and signed. */
export function authorityOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`;
}
