import { Reply } from "./reply.ts";

/** A record as JSON, with its version as the ETag that a change has to send back. */
export function recordReply(status: number, data: object, version: number): Reply {
  return new Reply({
    status,
    headers: { ETag: `"${version}"` },
    mediaType: "application/json; charset=utf-8",
    body: JSON.stringify(data),
  });
}

/** The version in an If-Match that the schema has let pass: a quoted number. */
export function versionOfTag(tag: string): number {
  return Number(tag.slice(1, -1));
}
