import fastify from "fastify"; // breaks: store-imports-files-and-below, production-uses-dependencies
export const engine = fastify;
