/** How many nodes a token is limited to, in words: "1 node". */
export function nodeCount(nodes: readonly string[]): string {
  return nodes.length === 1 ? "1 node" : `${nodes.length.toLocaleString("en-GB")} nodes`;
}
