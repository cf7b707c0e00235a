import { fault } from "@gatehouse/contract/faults";

/** What the work gives, unless it takes longer: then it is left to itself. Throws `read.limit`. */
export async function answerWithin<Value>(mostMs: number, work: () => Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(fault("read.limit", `expected an answer within ${mostMs} ms`)), mostMs);
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
