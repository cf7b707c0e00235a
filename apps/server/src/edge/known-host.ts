/**
 * Whether a `Host` is one this server answers for: the public URL's, or loopback on any port (product: console host).
 * A page on another name that resolves to this machine (DNS rebinding) gets nothing.
 */
export function knownHosts(publicUrl: URL | undefined): (host: string | undefined) => boolean {
  const own = new Set<string>();
  if (publicUrl !== undefined) {
    own.add(publicUrl.host);
    // URL drops the scheme's own port; a client may still write it.
    if (publicUrl.port === "") own.add(`${publicUrl.host}:${publicUrl.protocol === "https:" ? 443 : 80}`);
  }
  return (host) => host !== undefined && (own.has(host) || own.has(host.toLowerCase()) || isLoopbackHost(host));
}

export function isLoopbackHost(host: string): boolean {
  return loopback.test(host);
}

const loopback = /^(?:localhost|127(?:\.(?:0|[1-9][0-9]{0,2})){3}|\[::1\])(?::[0-9]{1,5})?$/i;
