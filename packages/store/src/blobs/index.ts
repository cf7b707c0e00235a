/**
 * Blobs: large bytes under the name of their digest, durable before the commit that names them.
 * Never hands out bytes that are not what their name says; never removes what may be on its way into a record.
 */
export { type Blob, blobLimits, type BlobOwner, type Blobs } from "./blobs.ts";
export { type FileBlobsOptions, openFileBlobs } from "./file-blobs.ts";
export { memoryBlobs } from "./memory-blobs.ts";
