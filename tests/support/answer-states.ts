import type { ControlFrame } from "@gatehouse/channel";
import type { FakeConnection } from "./fake-host.ts";
import type { PretendHost } from "./pretend-host.ts";
import type { TellState } from "./pretend-state.ts";

/**
 * Beats, says what a pretended host is like whenever its server asks, and hands on everything else, until the connection ends. How
 * it ended is for whoever looks at `closed`.
 */
export function answerStates(
  connection: FakeConnection,
  host: PretendHost,
  tell: TellState,
  handOn: (frame: ControlFrame) => void = () => undefined,
): void {
  connection.keepBeating();
  const read = async (): Promise<never> => {
    for (;;) {
      const sent = await connection.next();
      if (sent.t !== "want-state") {
        handOn(sent);
        continue;
      }
      const states = Object.fromEntries(sent.subjects.map((subject) => [subject, tell(subject)]));
      for (const piece of host.states(sent, states)) connection.send(piece);
    }
  };
  read().catch(() => undefined);
}
