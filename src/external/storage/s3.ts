import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Clock } from '../../kernel/time/time.ts';
import { objectRequests } from './object-requests.ts';
import { type ObjectStorage, StorageFault } from './port.ts';
import { adviceFor } from './s3-faults.ts';
import { s3Reading } from './s3-reading.ts';
import { s3Writing } from './s3-writing.ts';

/** Addresses and credentials of the object storage. */
interface S3Address {
  /** Base URL at which the platform reaches the service. */
  endpoint: string;
  /** Base URL at which clients reach it. */
  publicEndpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

type S3Options = S3Address & { clock: Clock };

const ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 2_000;
/** A request that receives no byte for this long has failed. */
const IDLE_TIMEOUT_MS = 20_000;
const MAX_SOCKETS = 64;
/**
 * Returns a client for any storage that implements the S3 protocol, with version 4 signatures and the bucket in the
 * path.
 */
export function s3Storage(options: S3Options): ObjectStorage {
  const { bucket: Bucket, clock } = options;
  const client = clientOf(options, options.endpoint);
  const presigner = clientOf(options, options.publicEndpoint);
  const requests = objectRequests({
    ...options,
    attempts: ATTEMPTS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    maxSockets: MAX_SOCKETS,
  });

  /** Presigns an upload. Type and length are signed, so that the storage rejects any others. */
  async function presignUpload({
    key,
    contentType,
    bytes,
    expiresInSeconds,
  }: Parameters<ObjectStorage['presignUpload']>[0]) {
    const command = new PutObjectCommand({
      Bucket,
      Key: key,
      ContentType: contentType,
      ContentLength: bytes,
    });
    const url = await getSignedUrl(presigner, command, {
      expiresIn: expiresInSeconds,
      signingDate: clock.date(),
      signableHeaders: new Set(['host', 'content-type', 'content-length']),
    });
    return { url, method: 'PUT' as const, headers: { 'Content-Type': contentType } };
  }

  const reading = s3Reading(requests);

  return {
    ...reading,
    ...s3Writing(client, Bucket),
    presignUpload,
    presignDownload: async ({ key, expiresInSeconds, fileName }) => {
      const more: Record<string, string> =
        fileName === undefined ? {} : { 'response-content-disposition': contentDisposition(fileName) };
      return requests.presign(key, { at: clock.date(), expiresInSeconds, more });
    },
    async check({ deadlineMs }) {
      try {
        (await reading.read(CHECKED_KEY, { deadlineMs }))?.body.destroy();
      } catch (error) {
        throw new StorageFault(adviceFor((error as Error).message, options), { cause: error });
      }
    },
    close() {
      client.destroy();
      presigner.destroy();
      requests.close();
    },
  };
}

/**
 * A key that need not exist: a service that reports it as missing has found the bucket and accepted the credentials.
 */
const CHECKED_KEY = 'platform-check';

function clientOf({ region, accessKeyId, secretAccessKey }: S3Options, endpoint: string): S3Client {
  const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const config: S3ClientConfig = {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    // By default the client signs the checksum of an empty body into every presigned upload.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: new HttpAgent(agentOptions),
      httpsAgent: new HttpsAgent(agentOptions),
    },
  };
  return new S3Client(config);
}

/** Returns the file name for a browser, in both forms of RFC 6266. */
function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
}
