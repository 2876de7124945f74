import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { StorageFault } from './port.ts';

/** A page of a thousand objects takes less than 2 MiB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** A hundred million objects. */
const MAX_PAGES = 100_000;

/**
 * Bounds the answers to a client's calls, none of which brings the content of an object: the SDK would read a document
 * without an end into memory, for as long as something arrives.
 * @param withinMs how long the document of an answer may take after its headers
 */
export function boundAnswers(client: S3Client, withinMs: number): void {
  client.middlewareStack.add(
    (next) => async (given) => {
      const result = await next(given);
      const response = result.response as { body?: unknown };
      if (response.body instanceof Readable) response.body = await readWithin(response.body, withinMs);
      return result;
    },
    // After all others of this step, so that it is the first to see the answer.
    { step: 'deserialize', priority: 'low', name: 'boundAnswers' },
  );
}

async function readWithin(body: Readable, withinMs: number): Promise<Readable> {
  const late = new StorageFault(`the answer did not end within ${withinMs} ms`);
  const timer = setTimeout(() => body.destroy(late), withinMs);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_ANSWER_BYTES)
        throw new StorageFault(`answered with more than ${MAX_ANSWER_BYTES} bytes`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Readable.from([Buffer.concat(chunks)], { objectMode: false });
}

interface ListedPage {
  IsTruncated?: boolean | undefined;
}

/**
 * Returns a function that tells of each page of a listing, and of where it says the next one begins, whether there is a next
 * one.
 * @throws StorageFault for what is no page, such as the page of a portal, which would be an empty listing; and for one that
 * leads nowhere or back, which would make the listing endless
 */
export function pageTurner(): (page: ListedPage | undefined, ...next: (string | undefined)[]) => boolean {
  const seen = new Set<string>();
  return (page, ...next) => {
    if (page?.IsTruncated === undefined)
      throw new StorageFault('answered with something else than a listing');
    if (!page.IsTruncated) return false;
    const place = next.join('\n');
    if (!next[0] || seen.has(place) || seen.size >= MAX_PAGES)
      throw new StorageFault('a listing does not end');
    seen.add(place);
    return true;
  };
}
