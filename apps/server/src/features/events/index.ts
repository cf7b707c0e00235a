/**
 * Events: the stream by which dashboards learn that something changed, position by position of the audit log.
 * Never carries a record's content; whoever hears of a change reads it through its own route.
 */
export { eventLimits, type Events, type EventsDeps, openEvents } from "./events.ts";
