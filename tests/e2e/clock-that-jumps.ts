/**
 * Loaded into the server before its own code: SIGUSR2 moves its clock on by six minutes, past the time for which a
 * sign-in counts as fresh. So the real refusal and the real step-up are met without waiting for them.
 */
const sixMinutes = 6 * 60_000;
const realNow = Date.now;
let ahead = 0;
Date.now = () => realNow() + ahead;
process.on("SIGUSR2", () => {
  ahead += sixMinutes;
});
