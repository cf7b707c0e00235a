/** A sentence of the server with the digests, key ids and capabilities in it set as what they are. */
export function WithIds({ text }: { readonly text: string }) {
  const parts = text.split(/([0-9a-f]{32,64}|\b(?:kv|log|http|host):[a-z]+)/);
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
