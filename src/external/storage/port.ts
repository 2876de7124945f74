import type { Readable } from 'node:stream';

/** What is known of a stored object without its bytes. */
interface ObjectFacts {
  key: string;
  bytes: number;
  contentType: string;
  /** Changes whenever the object's bytes do; in quotes, as HTTP has it. */
  etag: string;
  modifiedAt: Date;
}

/** An object, or a range of it, as it is read. */
export interface StoredObject extends ObjectFacts {
  body: Readable;
  /** Of a range: the first and the last byte, both included. `bytes` remains the size of the whole object. */
  range?: { first: number; last: number };
  cacheControl?: string;
}

export interface ReadOptions {
  /** The first and the last byte, both included; without `last`, to the end. */
  range?: { first: number; last?: number } | undefined;
  signal?: AbortSignal;
  /** How long to wait, attempts included, until the answer begins; then it is a fault. */
  deadlineMs?: number;
}

interface WriteOptions {
  contentType: string;
  cacheControl?: string;
  signal?: AbortSignal;
}

/** A request that a client sends to the storage itself, exactly as it is described here. */
interface PresignedUpload {
  url: string;
  method: 'PUT';
  headers: Record<string, string>;
}

/** The object is no longer the one that was asked for. */
export class ObjectChanged extends Error {
  override readonly name = 'ObjectChanged';
}

/** The storage could not be reached or did not do what it was asked; trying again later makes sense. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault';
}

/**
 * Keeps files as objects by key. Every call has a timeout and a bounded number of attempts.
 * @throws StorageFault
 */
export interface ObjectStorage {
  /**
   * Signs an upload by a client. The storage refuses one with another type, length, key or method, or one that comes
   * after `expiresInSeconds`.
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
  /** Returns the object, or undefined when there is none. A range outside it is answered with the whole object. */
  read(key: string, options?: ReadOptions): Promise<StoredObject | undefined>;
  /**
   * Writes the object into a file.
   * @throws ObjectChanged when the object is gone or its etag is another
   */
  download(key: string, file: string, options: { etag: string; signal?: AbortSignal }): Promise<void>;
  /** Stores bytes, or the content of a file, in parts where it is large. Readers see all of it or nothing. */
  write(key: string, body: Buffer | { file: string }, options: WriteOptions): Promise<void>;
  /** Removes objects; those that do not exist are no error. */
  remove(keys: string[]): Promise<void>;
  /** Yields the objects below a prefix in the order of their keys, a page at a time. */
  list(prefix: string): AsyncIterable<Omit<ObjectFacts, 'contentType'>[]>;
  /** Removes parts of uploads that were begun before an instant and never completed; returns how many uploads. */
  abortUnfinished(before: Date): Promise<number>;
  close(): void;
}
