import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type ObjectRequests, RangeNotSatisfiable } from './object-requests.ts';
import {
  ObjectChanged,
  type ObjectFacts,
  type ObjectStorage,
  type ReadOptions,
  StorageFault,
  type StoredObject,
} from './port.ts';
import { within } from './s3-faults.ts';

/** Reads objects by plain requests. */
export function s3Reading(requests: Pick<ObjectRequests, 'send'>) {
  async function read(
    key: string,
    { range, ifMatch, signal, deadlineMs }: ReadOptions & { ifMatch?: string } = {},
  ): Promise<StoredObject | undefined> {
    const headers: Record<string, string> = {};
    if (range) headers.range = `bytes=${range.first}-${range.last ?? ''}`;
    if (ifMatch !== undefined) headers['if-match'] = ifMatch;
    const response = await within(deadlineMs, signal, (abortSignal) =>
      requests.send({ method: 'GET', key, headers, signal: abortSignal }),
    );
    if (!response) return undefined;
    const facts = factsOf(key, response);
    const cacheControl = response.headers['cache-control'];
    const served = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers['content-range'] ?? '');
    return {
      ...facts,
      bytes: served ? Number(served[3]) : facts.bytes,
      body: response,
      ...(served ? { range: { first: Number(served[1]), last: Number(served[2]) } } : {}),
      ...(cacheControl === undefined ? {} : { cacheControl }),
    };
  }

  return {
    async head(key, { deadlineMs } = {}) {
      const response = await within(deadlineMs, undefined, (signal) =>
        requests.send({ method: 'HEAD', key, signal }),
      );
      response?.resume();
      return response && factsOf(key, response);
    },
    async read(key, { range, ...options } = {}) {
      try {
        return await read(key, { range, ...options });
      } catch (error) {
        if (!(error instanceof RangeNotSatisfiable)) throw error;
        return read(key, options);
      }
    },
    async download(key, file, { etag, signal }) {
      const found = await read(key, { ifMatch: etag, signal });
      if (!found) throw new ObjectChanged(`${key} is gone`);
      try {
        await pipeline(found.body, createWriteStream(file), { signal });
      } catch (error) {
        throw signal?.aborted ? error : new StorageFault(`${key} was cut`, { cause: error });
      }
      const { size } = await stat(file);
      if (size !== found.bytes)
        throw new StorageFault(`${key} was cut after ${size} of ${found.bytes} bytes`);
    },
  } satisfies Partial<ObjectStorage>;
}

/** @throws StorageFault for what is no object, such as the page of a portal: an empty one would be stored or served in its place */
function factsOf(key: string, response: IncomingMessage): ObjectFacts {
  const { etag, 'content-length': bytes, 'content-type': contentType, ...headers } = response.headers;
  if (!etag || bytes === undefined) {
    response.destroy();
    throw new StorageFault(`${key}: answered without an ETag or a length`);
  }
  return {
    key,
    bytes: Number(bytes),
    contentType: contentType ?? 'application/octet-stream',
    etag,
    modifiedAt: new Date(headers['last-modified'] ?? 0),
  };
}
