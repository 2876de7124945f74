import type { Clock } from '../../kernel/time/time.ts';
import type { ObjectStorage } from './port.ts';
import { s3Storage } from './s3.ts';
import type { StorageSettings } from './settings.ts';

/** Returns the object storage, or undefined when none is configured: uploads are then impossible. */
export function objectStorage(
  settings: StorageSettings,
  { clock }: { clock: Clock },
): ObjectStorage | undefined {
  const { endpoint, accessKeyId, secretAccessKey, region, bucket } = settings;
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const publicEndpoint = settings.publicEndpoint ?? endpoint;
  return s3Storage({ endpoint, publicEndpoint, region, bucket, accessKeyId, secretAccessKey, clock });
}
