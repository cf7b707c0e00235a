import { faultyVfs } from "@gatehouse/files/faulty"; // breaks: production-imports-no-test
export const cuts = faultyVfs;
