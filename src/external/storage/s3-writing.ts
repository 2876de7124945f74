import { createReadStream } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type ObjectStorage, StorageFault } from './port.ts';
import { boundAnswers, pageTurner } from './s3-answers.ts';
import { orUndefined } from './s3-faults.ts';
import type { S3Limits, S3Options } from './s3-options.ts';

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

/** Writes, removes and lists the objects of a bucket, and signs uploads, by the SDK's client. */
export function s3Writing(options: S3Options, limits: S3Limits) {
  const { bucket: Bucket } = options;
  const client = clientOf(options, limits, options.endpoint);
  const presigner = clientOf(options, limits, options.publicEndpoint);
  return {
    /** Presigns an upload. Type and length are signed, so that the storage rejects any others. */
    async presignUpload({ key, contentType, bytes, expiresInSeconds }) {
      const command = new PutObjectCommand({
        Bucket,
        Key: key,
        ContentType: contentType,
        ContentLength: bytes,
      });
      const url = await getSignedUrl(presigner, command, {
        expiresIn: expiresInSeconds,
        signingDate: options.clock.date(),
        signableHeaders: new Set(['host', 'content-type', 'content-length']),
      });
      return { url, method: 'PUT' as const, headers: { 'Content-Type': contentType } };
    },
    async write(key, body, { contentType, cacheControl, signal }) {
      const { Upload } = await import('@aws-sdk/lib-storage');
      signal?.throwIfAborted();
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
      signal?.addEventListener('abort', abort, { once: true });
      try {
        const stored = await orUndefined(() => upload.done());
        // Also when the parts are gone, which is a 404, and when something else than the storage answers.
        if (!stored?.ETag) throw new StorageFault(`${key} was not stored`);
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    async remove(keys) {
      for (let start = 0; start < keys.length; start += MAX_REMOVED_AT_ONCE) {
        const Objects = keys.slice(start, start + MAX_REMOVED_AT_ONCE).map((Key) => ({ Key }));
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects } });
        const answered = await orUndefined(() => client.send(command));
        const [fault] = answered?.Errors ?? [];
        if (fault) throw new StorageFault(`${fault.Key} was not removed: ${fault.Code}`);
        // What is not confirmed may still be there, as when something else than the storage answers.
        const removed = new Set(answered?.Deleted?.map(({ Key }) => Key));
        const kept = Objects.find(({ Key }) => !removed.has(Key));
        if (kept) throw new StorageFault(`${kept.Key} was not removed`);
      }
    },
    async *list(prefix) {
      const hasNext = pageTurner();
      for (let ContinuationToken: string | undefined; ; ) {
        const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken });
        const page = await orUndefined(() => client.send(command));
        ContinuationToken = page?.NextContinuationToken;
        const isMore = hasNext(page, ContinuationToken);
        yield (page?.Contents ?? []).map(({ Key = '', Size = 0, ETag = '', LastModified = new Date(0) }) => {
          // What is listed is removed: a storage that ignores the prefix would lose the objects of all others.
          if (!Key.startsWith(prefix)) throw new StorageFault(`${Key} was listed below ${prefix}`);
          return { key: Key, bytes: Size, etag: ETag, modifiedAt: LastModified };
        });
        if (!isMore) return;
      }
    },
    async abortUnfinished(before) {
      let aborted = 0;
      const hasNext = pageTurner();
      for (let KeyMarker: string | undefined, UploadIdMarker: string | undefined; ; ) {
        const command = new ListMultipartUploadsCommand({ Bucket, KeyMarker, UploadIdMarker });
        const page = await orUndefined(() => client.send(command));
        KeyMarker = page?.NextKeyMarker;
        UploadIdMarker = page?.NextUploadIdMarker;
        const isMore = hasNext(page, KeyMarker, UploadIdMarker);
        for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
          if (!Initiated || Initiated >= before) continue;
          await orUndefined(() => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
          aborted++;
        }
        if (!isMore) return aborted;
      }
    },
    close() {
      client.destroy();
      presigner.destroy();
    },
  } satisfies Partial<ObjectStorage>;
}

function clientOf(
  { region, accessKeyId, secretAccessKey }: S3Options,
  { attempts, connectTimeoutMs, idleTimeoutMs, maxSockets }: S3Limits,
  endpoint: string,
): S3Client {
  const agentOptions = { keepAlive: true, maxSockets };
  const config: S3ClientConfig = {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: attempts,
    // By default the client signs the checksum of an empty body into every presigned upload.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: idleTimeoutMs,
      httpAgent: new HttpAgent(agentOptions),
      httpsAgent: new HttpsAgent(agentOptions),
    },
  };
  const client = new S3Client(config);
  boundAnswers(client, idleTimeoutMs);
  return client;
}
