import { enrolment } from "./enrolment.ts";
import { frames } from "./frames.ts";
import { hello } from "./hello.ts";
import { localSocket } from "./local-socket.ts";
import type { RowFamily } from "./row.ts";
import { stateRead } from "./state-read.ts";

/** Every row that is shown, by what it is about, in the order of the table. */
export const families: readonly RowFamily[] = [enrolment, hello, frames, localSocket, stateRead];
