/**
 * What travels between the server and a plugin, as a plugin's author meets it. The files of this folder import nothing, so
 * that they can be copied into a plugin's own repository as they are. The contract has the same forms as schemas; a test
 * compares the two.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type ActionName = "describe" | "health" | "plan";

export interface MapLine {
  /** Ids of nodes. */
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly state: "up" | "degraded" | "down" | "planned" | "unknown";
}

export interface Description {
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  /** Lines for the fleet map, at most 1,000. */
  readonly mapLines?: readonly MapLine[];
}

export interface Health {
  readonly status: "ok" | "degraded" | "failing";
  readonly message?: string;
}

/** A node that a plan is asked for. */
export interface PlanNode {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** As the host told them; none until it has. */
  readonly addresses: readonly string[];
  /**
   * What the host said of the parts that the plan replaces: a digest, or `absent`. Empty the first time the server asks, when it
   * learns from the operations which parts these are.
   */
  readonly states: readonly {
    readonly subject: string;
    readonly state: string;
    /** Of a key that the host keeps for that part, such as a WireGuard interface. */
    readonly publicKey?: string;
  }[];
}

/** Everything a plan may depend on. Nodes are sorted by id, their states by subject. */
export interface PlanQuestion<Input = Json> {
  readonly input: Input;
  readonly nodes: readonly PlanNode[];
}

/**
 * A plan as the server takes it. docs/plugins/plan-format.md names the operations and their fields. The states that it was made
 * from are not in it: the server adds what the hosts said.
 */
export interface PlanDraftLike {
  readonly title: string;
  readonly summary: string;
  readonly sections: readonly {
    readonly node: string;
    readonly operations: readonly { readonly kind: string }[];
  }[];
}

export interface SeenNode {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly state: "online" | "offline" | "unknown" | "revoked";
  /** Null until the host has told them. */
  readonly facts: {
    readonly agentVersion: string;
    readonly arch: string;
    readonly hostname: string;
    readonly kernel: string;
    /** What its root lets be changed: `monitor` is nothing. */
    readonly mode: string;
    readonly os: string;
  } | null;
}

/** What a node has measured: a mean for each stretch of `stepSeconds`, null where there is none. */
export interface SeenMetrics {
  /** When the first stretch begins, as ISO 8601. */
  readonly from: string;
  readonly stepSeconds: number;
  /** How many minutes were measured. */
  readonly minutes: number;
  readonly means: {
    /** Per cent, as memory and disk. */
    readonly cpu: readonly (number | null)[];
    readonly load: readonly (number | null)[];
    readonly memory: readonly (number | null)[];
    readonly disk: readonly (number | null)[];
    /** Bytes per second. */
    readonly netIn: readonly (number | null)[];
    readonly netOut: readonly (number | null)[];
  };
}

export interface FetchRequest {
  readonly url: string;
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyEncoding?: "utf8" | "base64";
}

export interface FetchReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyEncoding: "utf8" | "base64";
}
