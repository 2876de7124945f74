import { createReadStream } from 'node:fs';
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { type ObjectStorage, StorageFault } from './port.ts';
import { orUndefined } from './s3-faults.ts';

/** Larger objects are stored in parts of this size, so many at once; S3 allows 10,000 parts. */
const STORED = { partSize: 16 * 1024 * 1024, queueSize: 2 };
/** Parts of a stream are held in memory until they are stored. */
const STREAMED = { partSize: 5 * 1024 * 1024, queueSize: 1 };
/** Maximum number of objects removed per call. */
const MAX_REMOVED_AT_ONCE = 1_000;

const contentOf = (body: Parameters<ObjectStorage['write']>[1]) => {
  if (Buffer.isBuffer(body)) return body;
  return 'stream' in body ? body.stream : createReadStream(body.file, { highWaterMark: 1024 * 1024 });
};

/** Writes, removes and lists the objects of a bucket. */
export function s3Writing(client: S3Client, Bucket: string) {
  return {
    async write(key, body, { contentType, cacheControl, signal }) {
      const { Upload } = await import('@aws-sdk/lib-storage');
      const upload = new Upload({
        client,
        ...('stream' in body ? STREAMED : STORED),
        params: {
          Bucket,
          Key: key,
          Body: contentOf(body),
          ContentType: contentType,
          CacheControl: cacheControl,
        },
      });
      const abort = () => void upload.abort();
      signal?.throwIfAborted();
      signal?.addEventListener('abort', abort, { once: true });
      try {
        await orUndefined(() => upload.done());
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    async remove(keys) {
      for (let start = 0; start < keys.length; start += MAX_REMOVED_AT_ONCE) {
        const Objects = keys.slice(start, start + MAX_REMOVED_AT_ONCE).map((Key) => ({ Key }));
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
        const answered = await orUndefined(() => client.send(command));
        const [fault] = answered?.Errors ?? [];
        if (fault) throw new StorageFault(`${fault.Key} was not removed: ${fault.Code}`);
      }
    },
    async *list(prefix) {
      for (let ContinuationToken: string | undefined; ; ) {
        const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken });
        const page = await orUndefined(() => client.send(command));
        yield (page?.Contents ?? []).map((listed) => ({
          key: listed.Key ?? '',
          bytes: listed.Size ?? 0,
          etag: listed.ETag ?? '',
          modifiedAt: listed.LastModified ?? new Date(0),
        }));
        ContinuationToken = page?.NextContinuationToken;
        if (!page?.IsTruncated) return;
      }
    },
    async abortUnfinished(before) {
      let aborted = 0;
      for (let KeyMarker: string | undefined, UploadIdMarker: string | undefined; ; ) {
        const command = new ListMultipartUploadsCommand({ Bucket, KeyMarker, UploadIdMarker });
        const page = await orUndefined(() => client.send(command));
        for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
          if (!Initiated || Initiated >= before) continue;
          await orUndefined(() => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
          aborted++;
        }
        if (!page?.IsTruncated) return aborted;
        KeyMarker = page.NextKeyMarker;
        UploadIdMarker = page.NextUploadIdMarker;
      }
    },
  } satisfies Partial<ObjectStorage>;
}
