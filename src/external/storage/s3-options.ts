import type { Clock } from '../../kernel/time/time.ts';

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

export type S3Options = S3Address & { clock: Clock };

export interface S3Limits {
  attempts: number;
  connectTimeoutMs: number;
  /** A request that receives no byte for this long has failed. */
  idleTimeoutMs: number;
  maxSockets: number;
}
