/** Between what a host says and each line that a service has said: a detail is one line wherever it is kept. */
const between = " | ";

/** What a host says of a service that fell, and the last lines of the service itself, as one detail. */
export function joinServiceWords(says: string, lines: readonly string[]): string {
  return [says, ...lines].join(between);
}

export interface ServiceWords {
  readonly says: string;
  /** As the service wrote them; none where the host gave none. */
  readonly lines: readonly string[];
}

/** A detail as it is shown. A line in which the service itself wrote the mark becomes two: nothing of it is lost. */
export function splitServiceWords(detail: string): ServiceWords {
  const [says = "", ...lines] = detail.split(between);
  return { says, lines };
}
