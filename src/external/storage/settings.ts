import { optionalUrl } from '../../kernel/address-settings.ts';
import { optional, type Setting, secret, text, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the object storage. */
export const storageSettings = {
  endpoint: optionalUrl(
    'STORAGE_ENDPOINT',
    'An S3-compatible object storage (Garage, SeaweedFS, Ceph, R2, S3). Without it, development uses the sandbox, and in production nothing can be uploaded',
    'https://s3.example.com',
  ),
  publicEndpoint: optionalUrl(
    'STORAGE_PUBLIC_ENDPOINT',
    'The endpoint at which clients reach the storage, if it differs from STORAGE_ENDPOINT',
    'https://uploads.example.com',
  ),
  region: text('STORAGE_REGION', 'us-east-1', 'The region of the storage'),
  bucket: text('STORAGE_BUCKET', 'platform', 'The bucket, which may be entirely private'),
  accessKeyId: optional('STORAGE_ACCESS_KEY_ID', 'The access key id for the storage', 'platform'),
  secretAccessKey: secret('STORAGE_SECRET_ACCESS_KEY', 8, 'The secret access key for the storage'),
} satisfies Record<string, Setting<unknown>>;

export type StorageSettings = ValuesOf<typeof storageSettings>;

/** Returns the missing settings of a configured storage. */
export function storageFaults({ endpoint, accessKeyId, secretAccessKey }: StorageSettings): string[] {
  const isComplete = endpoint === undefined || (accessKeyId && secretAccessKey);
  return isComplete ? [] : ['STORAGE_ENDPOINT requires STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY'];
}
