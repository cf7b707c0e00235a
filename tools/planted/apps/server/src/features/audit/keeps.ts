import { openFileStore, type Store } from "@gatehouse/store"; // breaks: only-compose-builds-the-store
export const keeps = (): Store => openFileStore() as Store;
