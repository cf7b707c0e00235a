/** What an entry of the ceiling can allow: one operation, on one target. */
export interface CeilingKind {
  /** What stands for the target in the help, or null for an operation that has none. */
  readonly target: string | null;
  readonly form: RegExp;
  /** For the person whose target does not fit. */
  readonly expects: string;
  /** Ends a sentence that begins "Plans may". */
  readonly says: (target: string) => string;
  /** Paths are also kept by the kernel. */
  readonly isPath: boolean;
  /** An entry may also name the only publisher whose programs it means. */
  readonly takesPublisher?: true;
}

const path = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._@+-]{1,128}){1,32}$/;
const pathExpected = "an absolute path of A-Z, a-z, 0-9 and . _ @ + - without . or .. parts and without / at its end";

/**
 * The operations that change a host, with the form of their targets: those of the plan format, and none besides (a test compares
 * them). A path stands for itself and for everything below it.
 */
export const ceilingKinds = {
  "firewall.apply": {
    target: "TABLE",
    form: /^gatehouse_[a-z][a-z0-9_]{0,30}$/,
    expects: "a table of Gatehouse: gatehouse_ and a name",
    says: (target) => `replace the firewall table ${target}`,
    isPath: false,
  },
  "network.wireguard": {
    target: "INTERFACE",
    form: /^wg[a-z0-9]{1,12}$/,
    expects: "wg and 1 to 12 of a-z and 0-9",
    says: (target) => `set up the WireGuard interface ${target}`,
    isPath: false,
  },
  "file.write": {
    target: "PATH",
    form: path,
    expects: pathExpected,
    says: (target) => `write ${target} and files below it`,
    isPath: true,
  },
  "binary.replace": {
    target: "PATH[=PUBLISHER]",
    form: path,
    expects: `${pathExpected}, and behind = the id of a publisher where only its programs may come there`,
    says: (target) => `replace the program ${target}, or programs below it, by ones that their publisher signed`,
    isPath: true,
    takesPublisher: true,
  },
  "service.restart": {
    target: "UNIT",
    form: /^[A-Za-z0-9][A-Za-z0-9:_.@-]{0,119}\.service$/,
    expects: "the name of a systemd service, such as nginx.service",
    says: (target) => `restart ${target}`,
    isPath: false,
  },
  "agent.update": {
    target: null,
    form: /^$/,
    expects: "no target",
    says: () => "replace this agent by a signed release",
    isPath: false,
  },
} as const satisfies Record<string, CeilingKind>;

export type CeilingKindName = keyof typeof ceilingKinds;

export const ceilingKindNames = Object.keys(ceilingKinds) as CeilingKindName[];
