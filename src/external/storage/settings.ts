import { optional, optionalUrl, type Setting, secret, text, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the object storage. */
export const storageSettings = {
  storageEndpoint: optionalUrl(
    'STORAGE_ENDPOINT',
    'An S3-compatible object storage (Garage, SeaweedFS, Ceph, R2, S3). Without it, development uses the sandbox, and in production nothing can be uploaded',
    'https://s3.example.com',
  ),
  storagePublicEndpoint: optionalUrl(
    'STORAGE_PUBLIC_ENDPOINT',
    'The endpoint at which clients reach the storage, if it differs from STORAGE_ENDPOINT',
    'https://uploads.example.com',
  ),
  storageRegion: text('STORAGE_REGION', 'us-east-1', 'The region of the storage'),
  storageBucket: text('STORAGE_BUCKET', 'platform', 'The bucket, which may be entirely private'),
  storageAccessKeyId: optional('STORAGE_ACCESS_KEY_ID', 'The access key id for the storage', 'platform'),
  storageSecretAccessKey: secret('STORAGE_SECRET_ACCESS_KEY', 8, 'The secret access key for the storage'),
} satisfies Record<string, Setting<unknown>>;

export type StorageSettings = ValuesOf<typeof storageSettings>;

/** Returns the missing settings of a configured storage. */
export function storageFaults(settings: StorageSettings): string[] {
  const { storageEndpoint, storageAccessKeyId, storageSecretAccessKey } = settings;
  const isComplete = storageEndpoint === undefined || (storageAccessKeyId && storageSecretAccessKey);
  return isComplete ? [] : ['STORAGE_ENDPOINT requires STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY'];
}
