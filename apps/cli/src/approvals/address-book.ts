import { parseStrictJson } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { Surroundings } from "../command.ts";
import { type ConfigPlace, findConfigFile, keepConfigFile } from "../files/config-file.ts";

type Where = Pick<Surroundings, "environment">;

/** What a host was called when somebody signed for it here first. */
export interface KnownHost {
  readonly name: string;
  readonly since: string;
}

/** By node id. A server says which node is called how: this is what this machine remembers of it. */
export type AddressBook = ReadonlyMap<string, KnownHost>;

const place: ConfigPlace = {
  name: "hosts.json",
  // A hundred thousand hosts.
  most: 16 * 1024 * 1024,
  unusable: (detail, cause) => fault("cli.address_book_unusable", detail, { cause }),
};

export async function readAddressBook(where: Where): Promise<AddressBook> {
  const found = await findConfigFile(where, place);
  if (found === undefined) return new Map();
  const read = parseStrictJson(found.text);
  const rows =
    read.ok && typeof read.value === "object" && read.value !== null ? Object.entries(read.value) : [["", 0]];
  return new Map(
    rows.map(([node, row]): [string, KnownHost] => {
      const { name, since } = (row ?? {}) as Partial<KnownHost>;
      if (typeof name !== "string" || typeof since !== "string") {
        throw place.unusable(`${found.file} does not hold names of hosts`);
      }
      return [String(node), { name, since }];
    }),
  );
}

interface NamedHost {
  readonly node: string;
  readonly name: string;
}

/** Adds those that are new. The first name stays: that it changes is what is to be seen. */
export async function rememberHosts(where: Where, hosts: readonly NamedHost[], now: number): Promise<void> {
  const book = await readAddressBook(where);
  const since = new Date(now).toISOString();
  const fresh = hosts.filter(({ node }) => !book.has(node)).map(({ node, name }) => [node, { name, since }] as const);
  if (fresh.length === 0) return;
  await keepConfigFile(where, place, `${JSON.stringify(Object.fromEntries([...book, ...fresh]), null, 2)}\n`);
}

/** What this machine knows about a host that the server calls so. */
export function sayKnown(book: AddressBook, { node, name }: NamedHost): string {
  const known = book.get(node);
  if (known !== undefined) {
    const since = known.since.slice(0, 10);
    if (known.name === name) return `signed for from here since ${since}`;
    return `CAREFUL: when you signed for it first, on ${since}, it was called ${known.name}`;
  }
  const [other] = [...book].find(([, row]) => row.name === name) ?? [];
  if (other === undefined) return "never signed for from here: compare its id with the host's own";
  return `CAREFUL: never signed for from here; the ${name} that you know is ${other}`;
}
