import { hash, randomBytes, randomFillSync } from "node:crypto";
import type { AuditStatements } from "./audit-statements.ts";

/**
 * Compares the text index with the entries without holding either in memory. Every position and every word gets a random
 * number that nobody could know before; both sides add up word times position over all their pairs. Sides that differ in a
 * pair give the same sum once in a hundred million times at most.
 */
export interface TextSums {
  /** What an entry says. */
  add(position: number, words: readonly string[]): void;
  /** What the index says, in steps; ends with whether it is the same. */
  compare(statements: AuditStatements): Generator<undefined, boolean, undefined>;
}

/** The index keeps the beginnings of words up to this length in lists of their own. */
const prefixLength = 3;
const wordsInStep = 100;
const rowsInStep = 20_000;
const mostKnownWords = 20_000;

/** For the positions behind `after` up to `last`. Of later ones the index may know, but nothing is compared. */
export function openTextSums(after: number, last: number): TextSums {
  const numbers = randomFillSync(new Uint32Array(last - after));
  const key = randomBytes(32).toString("hex");
  const known = new Map<string, number>();
  const prefixes = new Map<string, number>();
  let expected = 0n;

  /** 26 bits: the sum over a hundred million positions is still exact. */
  const positionNumber = (position: number): number => (numbers[position - after - 1] ?? 0) >>> 6;
  /** 40 bits: so is the sum over the words of one entry. */
  const wordNumber = (word: string): number => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const made = hash("sha256", key + word, "buffer").readUIntBE(0, 5);
    if (known.size < mostKnownWords) known.set(word, made);
    return made;
  };

  return {
    add: (position, words) => {
      const own = positionNumber(position);
      let sum = 0;
      for (const word of words) sum += wordNumber(word);
      for (const prefix of prefixesOf(words)) prefixes.set(prefix, (prefixes.get(prefix) ?? 0) + own);
      expected += BigInt(own) * BigInt(sum);
    },
    *compare({ db, sql, holding }) {
      let end = holding().archived.position;
      let strays = 0;
      db.function("position_number", { directOnly: true }, (position) => {
        const at = Number(position);
        if (at <= after || at > end) strays += 1;
        return positionNumber(at);
      });
      for (const [name, form] of vocabularies) {
        db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${name} USING fts5vocab(main, audit_text, ${form})`);
      }
      let found = 0n;
      for (let term: string | undefined = ""; term !== undefined; yield) {
        end = holding().archived.position;
        const rows = sql(wordsAfter).all(term, wordsInStep) as unknown as WordRow[];
        for (const row of rows) {
          if (row.count !== row.known) return false;
          found += BigInt(wordNumber(row.term)) * BigInt(row.sum);
        }
        term = rows.at(-1)?.term;
      }
      if (found !== expected || strays > 0) return false;
      let rows = 0;
      for (const [prefix, sum] of prefixes) {
        const row = sql(matchSum).get(`"${prefix}"*`) as unknown as MatchRow;
        if (row.sum !== sum) return false;
        rows += row.count + 20;
        if (rows < rowsInStep) continue;
        rows = 0;
        yield;
        end = holding().archived.position;
      }
      return true;
    },
  };
}

const vocabularies = [
  ["audit_pairs", "instance"],
  ["audit_words", "row"],
] as const;

/**
 * Pairs are read from page to page. Search looks up on which page a word stands, and that can be wrong alone: so each word is
 * looked up as well, and must be found in as many entries.
 */
const wordsAfter = `SELECT p.term, p.count, p.sum, w.doc AS known FROM (
    SELECT term, count(*) AS count, sum(position_number(doc)) AS sum FROM temp.audit_pairs WHERE term > ?
    GROUP BY term ORDER BY term LIMIT ?
  ) AS p LEFT JOIN temp.audit_words AS w ON w.term = p.term ORDER BY p.term`;
const matchSum = `SELECT count(*) AS count, coalesce(sum(position_number(rowid)), 0) AS sum FROM main.audit_text
  WHERE audit_text MATCH ?`;

interface WordRow {
  readonly term: string;
  readonly count: number;
  readonly sum: number;
  /** In how many entries it is found when it is looked up. */
  readonly known: number | null;
}

interface MatchRow {
  readonly count: number;
  readonly sum: number;
}

function prefixesOf(words: readonly string[]): Set<string> {
  const prefixes = new Set<string>();
  for (const word of words) {
    let prefix = "";
    let length = 0;
    for (const character of word) {
      prefix += character;
      length += 1;
      prefixes.add(prefix);
      if (length === prefixLength) break;
    }
  }
  return prefixes;
}
