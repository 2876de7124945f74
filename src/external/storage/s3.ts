import { randomBytes } from 'node:crypto';
import { lazy } from '../../kernel/concurrency/lazy.ts';
import { objectRequests } from './object-requests.ts';
import { type ObjectStorage, StorageFault } from './port.ts';
import { adviceFor, within } from './s3-faults.ts';
import type { S3Limits, S3Options } from './s3-options.ts';
import { s3Reading } from './s3-reading.ts';

const LIMITS: S3Limits = { attempts: 3, connectTimeoutMs: 2_000, idleTimeoutMs: 20_000, maxSockets: 64 };

/**
 * Returns a client for any storage that implements the S3 protocol, with version 4 signatures and the bucket in the
 * path.
 */
export function s3Storage(options: S3Options, limits = LIMITS): ObjectStorage {
  const { clock } = options;
  const requests = objectRequests({ ...options, ...limits });
  let isOpened = false;
  // The client of the SDK takes a tenth of a second to load, which most processes never need.
  const writing = lazy(async () => {
    isOpened = true;
    return (await import('./s3-writing.ts')).s3Writing(options, limits);
  });

  const reading = s3Reading(requests);

  return {
    ...reading,
    write: async (...write) => (await writing()).write(...write),
    remove: async (keys) => (await writing()).remove(keys),
    async *list(prefix) {
      yield* (await writing()).list(prefix);
    },
    abortUnfinished: async (before) => (await writing()).abortUnfinished(before),
    presignUpload: async (upload) => (await writing()).presignUpload(upload),
    presignDownload: async ({ key, expiresInSeconds, fileName }) => {
      const more: Record<string, string> =
        fileName === undefined ? {} : { 'response-content-disposition': contentDisposition(fileName) };
      return requests.presign(key, { at: clock.date(), expiresInSeconds, more });
    },
    async check({ deadlineMs }) {
      try {
        const key = `${CHECKED_KEYS}${randomBytes(8).toString('hex')}`;
        const found = await within(deadlineMs, undefined, (signal) =>
          requests.send({ method: 'GET', key, signal, needsCode: true }),
        );
        found?.destroy();
        if (found)
          throw new StorageFault(`${found.statusCode} for an object that does not exist: this is no S3`);
      } catch (error) {
        throw new StorageFault(adviceFor((error as Error).message, options), { cause: error });
      }
    },
    close() {
      // A failure to load the client has already been reported to the caller that wrote.
      if (isOpened)
        writing().then(
          ({ close }) => close(),
          () => undefined,
        );
      requests.close();
    },
  };
}

/**
 * The beginning of keys that do not exist: a service that reports one as missing, in the form of S3, has found the bucket and
 * accepted the credentials. Whatever answers 200 is none, such as the sign-in page of a network.
 */
const CHECKED_KEYS = 'platform-check-';

/** Returns the file name for a browser, in both forms of RFC 6266. */
function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
}
