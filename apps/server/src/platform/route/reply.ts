/** A header that stands there several times has several values: cookies cannot be joined into one line. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** An answer that is not just data: another status, a header, or bytes that are not JSON. */
export class Reply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly mediaType: string | undefined;
  readonly body: string | Uint8Array | undefined;

  constructor(init: {
    status?: number;
    headers?: ReplyHeaders;
    mediaType?: string;
    body?: string | Uint8Array;
  }) {
    this.status = init.status ?? 200;
    this.headers = init.headers ?? {};
    this.mediaType = init.mediaType;
    this.body = init.body;
  }
}

/** Where a stream writes to. Whoever writes looks at `queued` and waits, so that a slow reader costs bounded memory. */
export interface Sink {
  write(text: string): void;
  /** Bytes that were written here and that the client has not taken yet. */
  queued(): number;
  /** Calls once when the client has taken everything. */
  onceDrained(then: () => void): void;
  /** Ends it after what was written. */
  end(): void;
  /** Ends it now; for a reader that takes nothing. */
  cut(): void;
}

/** An answer that goes on. */
export class StreamReply {
  readonly mediaType: string;
  /** Throws when there is no room. Runs in one step with `start`, so that many who ask at once cannot all find the last place. */
  readonly admit: () => void;
  /** Runs when the headers are out and returns what to do when the client is gone. */
  readonly start: (sink: Sink) => () => void;

  constructor(mediaType: string, { admit, start }: Pick<StreamReply, "admit" | "start">) {
    this.mediaType = mediaType;
    this.admit = admit;
    this.start = start;
  }
}

/** An answer of known length that is too large to hold in memory: read piece by piece, as fast as the client takes it. */
export class ByteReply {
  readonly mediaType: string;
  /** In bytes; exactly so many must come. */
  readonly length: number;
  readonly headers: ReplyHeaders;
  /** Opens the source when the answer is sent, never for HEAD. What it opened is closed by its `return`, also when the client leaves. */
  readonly open: () => AsyncIterable<Uint8Array>;

  constructor(init: {
    mediaType: string;
    length: number;
    headers?: ReplyHeaders;
    open: () => AsyncIterable<Uint8Array>;
  }) {
    this.mediaType = init.mediaType;
    this.length = init.length;
    this.headers = init.headers ?? {};
    this.open = init.open;
  }
}
