/** Looks for a secret as it is, in hex, base64 (at each of its three places), UTF-16 and as a list of numbers. */
export function findSecrets(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [
    bytes.toString("latin1"),
    secret,
    encodeURIComponent(secret),
    bytes.toString("hex"),
    Buffer.from(secret, "utf16le").toString("latin1"),
  ];
  for (const shift of [0, 1, 2])
    forms.push(bytes.subarray(shift, shift + Math.floor((bytes.length - shift) / 3) * 3).toString("base64"));
  forms.push([...bytes].join(","), [...bytes].join(", "));
  // A master key is kept as hex; its own bytes count too.
  if (/^[0-9a-f]{64}$/.test(secret))
    forms.push(Buffer.from(secret, "hex").toString("latin1"), Buffer.from(secret, "hex").toString("base64"));
  return forms;
}
