/** How a host has answered one attempt. */
export interface Found {
  /** A name of the fault table; `answered` where nothing was refused. */
  readonly code: string;
  readonly detail: string;
  /** Which verb, frame or command has said so. */
  readonly at: string;
}
