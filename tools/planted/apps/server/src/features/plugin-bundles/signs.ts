export async function signs(): Promise<unknown> {
  await using signer = (await import("@gatehouse/bundle/sign")) as unknown as AsyncDisposable; // breaks: server-never-signs
  return signer;
}
