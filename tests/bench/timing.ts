import { benchArguments, concludeBench, type Goal } from "./measure.ts";
import { measureClients } from "./timing-clients.ts";
import { measureSignIn } from "./timing-sign-in.ts";
import { measureTexts } from "./timing-texts.ts";

/**
 * `npm run bench:timing [--short]`: what the suites count and put in order, in milliseconds. Whether the time of an answer
 * tells a name, how long hard texts take, and what a good client waits beside slow ones. Wants a quiet machine.
 */
const { short } = benchArguments();
console.log(`bench:timing, node ${process.version}${short ? " (short)" : ""}`);
const goals: Goal[] = [];
for (const measure of [measureSignIn, measureTexts, measureClients]) {
  const found = await measure(short);
  for (const { name, found: value, unit = "" } of found) console.log(`  ${name}: ${value.toFixed(1)}${unit}`);
  goals.push(...found);
}
const [inside] = goals;
concludeBench("bench:timing", goals, `${inside?.name} ${inside?.found.toFixed(1)}`);
