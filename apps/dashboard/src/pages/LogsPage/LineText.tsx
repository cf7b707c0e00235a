import { linePieces } from "./line-pieces.ts";
import styles from "./LogsPage.module.css";
import type { ReadWords } from "./read-words.ts";

/** A line as a host wrote it: text and nothing else, its control characters by their names in a frame. */
export function LineText({ text, wanted }: { readonly text: string; readonly wanted: ReadWords }) {
  return (
    <code className={styles.text}>
      {linePieces(text, wanted).map(({ kind, text: part }, at) => {
        if (kind === "text") return part;
        const Piece = kind === "mark" ? "mark" : "span";
        return (
          <Piece key={at} className={styles[kind]}>
            {part}
          </Piece>
        );
      })}
    </code>
  );
}
