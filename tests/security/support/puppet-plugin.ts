/**
 * A plugin that writes what the asker wants: the input of `plan` is `<code>.<standard output>.<standard error>`, both in
 * base64. So one signed artifact can be made to say anything.
 */
export const puppetBody = `case "$1" in plan) ;; *) answer '{"status":"ok"}'; exit 0 ;; esac
data=\${line#*'"input":"'}
data=\${data%%'"'*}
code=\${data%%.*}
data=\${data#*.}
printf %s "\${data#*.}" | base64 -d >&2
printf %s "\${data%%.*}" | base64 -d
exit "$code"`;

export interface Said {
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string | Uint8Array;
  readonly code?: number;
}

export function puppetInput({ stdout = "", stderr = "", code = 0 }: Said): string {
  const encode = (said: string | Uint8Array) => Buffer.from(said as string).toString("base64");
  return [code, encode(stdout), encode(stderr)].join(".");
}
