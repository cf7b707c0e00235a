import { openFileStore } from "@gatehouse/store"; // breaks: only-compose-builds-the-store
export const opens = openFileStore;
