import fastify from "fastify"; // breaks: store-imports-base-and-contract, production-uses-dependencies
export const engine = fastify;
