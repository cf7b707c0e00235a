import { UsageError } from "@gatehouse/command-line";
import { type HandPlace, handPlace } from "@gatehouse/contract";
import { changeNodeRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNamedNode, nodeArgument } from "../nodes/find-node.ts";
import { sayPlace } from "../nodes/say-node.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const topic = "node place";

export const nodePlaceCommand = defineCommand({
  name: topic,
  summary: "say where a node is on the map",
  about: [
    "Sets the coordinates of a node by hand, in degrees: north and east count up from 0, south and west down. A place that is set by hand wins over one that was looked up, and the address of such a node is not looked up at all. The host itself is not touched. It needs the scope node:admin.",
    "If somebody else changes the node at the same moment, nothing is changed and you are told.",
    connectionAbout,
  ],
  examples: [
    { why: "Put a host on the map", run: "gatehouse node place web-1 52.52 13.405 --label Berlin" },
    { why: "South and west are negative", run: "gatehouse node place web-2 -33.45 -70.67" },
    { why: "Take it away again", run: "gatehouse node place web-1 --none" },
  ],
  arguments: {
    node: nodeArgument,
    latitude: { value: "LATITUDE", about: "From -90 to 90.", optional: true },
    longitude: { value: "LONGITUDE", about: "From -180 to 180.", optional: true },
  },
  flags: {
    label: { value: "TEXT", about: "What people call the place, up to 60 characters." },
    none: { about: "Take away what was set by hand." },
  },
  run: async ({ node: named, none, ...given }, surroundings) => {
    const place = readPlace(given, none === true);
    const connection = await openConnection(surroundings);
    const { node, etag } = await getNamedNode(connection, named);
    const { data } = await connection.call(changeNodeRoute, {
      params: { id: node.id },
      headers: { "If-Match": etag },
      body: { place },
    });
    const shown = data.place === null ? "has no place set by hand" : `is at ${sayPlace(data.place)}`;
    return { ok: true, lines: [`${data.name} ${shown}.`], json: { node: asJson(data) } };
  },
});

interface GivenPlace {
  readonly latitude?: string;
  readonly longitude?: string;
  readonly label?: string;
}

function readPlace({ latitude, longitude, label }: GivenPlace, isNone: boolean): HandPlace | null {
  if (isNone) {
    if (latitude === undefined && label === undefined) return null;
    throw new UsageError("--none stands alone: a place is set or taken away", topic);
  }
  if (latitude === undefined || longitude === undefined) {
    throw new UsageError("write LATITUDE and LONGITUDE, or --none", topic);
  }
  const place = handPlace.safeParse({
    latitude: readDegrees("LATITUDE", latitude),
    longitude: readDegrees("LONGITUDE", longitude),
    label: label ?? null,
  });
  if (place.success) return place.data;
  const [issue] = place.error.issues;
  throw new UsageError(`${String(issue?.path[0] ?? "the place").toUpperCase()}: ${issue?.message ?? "is none"}`, topic);
}

function readDegrees(name: string, text: string): number {
  if (!/^-?[0-9]{1,3}(?:\.[0-9]{1,15})?$/.test(text)) {
    throw new UsageError(`${name} is a number of degrees such as 52.52 or -33.45, not ${JSON.stringify(text)}`, topic);
  }
  return Number(text);
}
