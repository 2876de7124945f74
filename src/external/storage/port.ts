import type { Readable } from 'node:stream';
import { failure } from '../../kernel/failures.ts';

/** No 503, since waiting does not help: operators have set no `STORAGE_*`. */
export const storageNotConfigured = failure(
  409,
  'STORAGE_NOT_CONFIGURED',
  'This installation has no storage for files',
);

/** The metadata of a stored object. */
export interface ObjectFacts {
  key: string;
  bytes: number;
  contentType: string;
  /** Changes whenever the object's bytes do; quoted, as in HTTP. */
  etag: string;
  modifiedAt: Date;
}

/** An object, or a range of it, opened for reading. */
export interface StoredObject extends ObjectFacts {
  body: Readable;
  /** For a range: the first and the last byte, both inclusive. `bytes` is still the size of the whole object. */
  range?: { first: number; last: number };
  cacheControl?: string;
}

export interface ReadOptions {
  /** The first and the last byte, both inclusive; without `last`, to the end. */
  range?: { first: number; last?: number } | undefined;
  signal?: AbortSignal;
  /** Maximum wait until the response begins, retries included; exceeding it is a fault. */
  deadlineMs?: number;
}

interface WriteOptions {
  contentType: string;
  cacheControl?: string;
  signal?: AbortSignal;
}

/** A request that a client sends to the storage, exactly as described. */
interface PresignedUpload {
  url: string;
  method: 'PUT';
  headers: Record<string, string>;
}

/** The object changed since it was looked up. */
export class ObjectChanged extends Error {
  override readonly name = 'ObjectChanged';
}

/** The storage was unreachable or failed; a later retry may succeed. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault';
}

/**
 * Stores files as objects by key. Every call has a timeout and a bounded number of attempts.
 * @throws StorageFault
 */
export interface ObjectStorage {
  /**
   * Signs an upload by a client. The storage rejects uploads with another type, length, key or method, and those after
   * `expiresInSeconds`.
   */
  presignUpload(upload: {
    key: string;
    contentType: string;
    bytes: number;
    expiresInSeconds: number;
  }): Promise<PresignedUpload>;
  /** Signs a download by a client; `fileName` is the name under which a browser saves it. */
  presignDownload(download: { key: string; expiresInSeconds: number; fileName?: string }): Promise<string>;
  head(key: string, options?: Pick<ReadOptions, 'deadlineMs'>): Promise<ObjectFacts | undefined>;
  /** Returns the object, or undefined when there is none. For a range outside the object, returns the whole object. */
  read(key: string, options?: ReadOptions): Promise<StoredObject | undefined>;
  /**
   * Writes the object to a file.
   * @throws ObjectChanged when the object no longer exists or its etag differs
   */
  download(key: string, file: string, options: { etag: string; signal?: AbortSignal }): Promise<void>;
  /**
   * Stores bytes, the content of a file, or a stream of unknown length, in parts when it is large. Readers see all of it
   * or nothing.
   */
  write(
    key: string,
    body: Buffer | { file: string } | { stream: Readable },
    options: WriteOptions,
  ): Promise<void>;
  /** Removes objects; ignores missing ones. */
  remove(keys: string[]): Promise<void>;
  /** Yields the objects below a prefix in key order, one page at a time. */
  list(prefix: string): AsyncIterable<Omit<ObjectFacts, 'contentType'>[]>;
  /**
   * Removes the parts of uploads that began before an instant and were never completed; returns the number of uploads.
   */
  abortUnfinished(before: Date): Promise<number>;
  /**
   * Checks that the storage answers, has the bucket and accepts the credentials.
   * @throws StorageFault whose message tells an operator what to check
   */
  check(options: { deadlineMs: number }): Promise<void>;
  close(): void;
}
