import { applying } from "./applying.ts";
import { artifacts } from "./artifacts.ts";
import { ceiling } from "./ceiling.ts";
import { enrolment } from "./enrolment.ts";
import { frames } from "./frames.ts";
import { hello } from "./hello.ts";
import { localSocket } from "./local-socket.ts";
import { logs } from "./logs.ts";
import { parts } from "./parts.ts";
import { paths } from "./paths.ts";
import { planBytes } from "./plan-bytes.ts";
import type { RowFamily } from "./row.ts";
import { sentLogs } from "./sent-logs.ts";
import { signatures } from "./signatures.ts";
import { stateRead } from "./state-read.ts";
import { statements } from "./statements.ts";
import { time } from "./time.ts";
import { trust } from "./trust.ts";
import { updates } from "./updates.ts";
import { use } from "./use.ts";
import { waves } from "./waves.ts";
import { weakKeys } from "./weak-keys.ts";
import { wireguard } from "./wireguard.ts";
import { witness } from "./witness.ts";

/** Every row that is shown, by what it is about, in the order of the table. */
export const families: readonly RowFamily[] = [
  enrolment,
  hello,
  frames,
  planBytes,
  statements,
  signatures,
  weakKeys,
  time,
  use,
  waves,
  trust,
  ceiling,
  applying,
  parts,
  artifacts,
  updates,
  localSocket,
  paths,
  stateRead,
  logs,
  sentLogs,
  wireguard,
  witness,
];
