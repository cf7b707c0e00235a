/**
 * Bus: tells the other parts, and later the other replicas, that there is something new to read in the store.
 * Never carries the news itself: a hint that is lost costs a delay, never a wrong answer.
 */
export type { Bus, BusOptions, Hints, Topic } from "./bus.ts";
export { gatherNews } from "./gather-news.ts";
export { inProcessBus } from "./in-process.ts";
