import { storeCases } from "@gatehouse/store/cases"; // breaks: production-imports-no-test, only-compose-builds-the-store
export const tested = storeCases;
