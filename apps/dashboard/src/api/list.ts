/** How every list of the API looks; `nextCursor` is null at its end. */
export interface List<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}
