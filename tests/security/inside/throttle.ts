/** The door to what decides who has to wait, for attacks that take a day or ten thousand addresses. */
export { openThrottle, type Throttle } from "../../../apps/server/src/features/auth/throttle.ts";
