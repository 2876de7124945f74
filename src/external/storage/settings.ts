import { optional, optionalUrl, type Setting, secret, text, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the object storage. */
export const storageSettings = {
  storageEndpoint: optionalUrl(
    'STORAGE_ENDPOINT',
    'A storage that speaks S3 (Garage, SeaweedFS, Ceph, R2, S3); in development the sandbox has one, in production without it nothing can be uploaded',
    'https://s3.example.com',
  ),
  storagePublicEndpoint: optionalUrl(
    'STORAGE_PUBLIC_ENDPOINT',
    'Where clients reach it, when not there',
    'https://uploads.example.com',
  ),
  storageRegion: text('STORAGE_REGION', 'us-east-1', 'Its region'),
  storageBucket: text('STORAGE_BUCKET', 'platform', 'The bucket; all of it may be private'),
  storageAccessKeyId: optional('STORAGE_ACCESS_KEY_ID', 'Who we are there', 'platform'),
  storageSecretAccessKey: secret('STORAGE_SECRET_ACCESS_KEY', 8, 'Signs what we ask of it'),
} satisfies Record<string, Setting<unknown>>;

export type StorageSettings = ValuesOf<typeof storageSettings>;

/** Returns the missing settings of a configured storage. */
export function storageFaults(settings: StorageSettings): string[] {
  const { storageEndpoint, storageAccessKeyId, storageSecretAccessKey } = settings;
  const isComplete = storageEndpoint === undefined || (storageAccessKeyId && storageSecretAccessKey);
  return isComplete ? [] : ['STORAGE_ENDPOINT needs STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY'];
}
