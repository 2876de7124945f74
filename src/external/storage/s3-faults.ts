import type { S3ServiceException } from '@aws-sdk/client-s3';
import { RangeNotSatisfiable } from './object-requests.ts';
import { ObjectChanged, StorageFault } from './port.ts';

/**
 * Calls with a signal that aborts at the deadline or with `signal`. The deadline covers only the start of the response,
 * not its body.
 */
export async function within<Answer>(
  deadlineMs: number | undefined,
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal | undefined) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (deadlineMs === undefined) return orUndefined(() => call(signal));
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  try {
    return await orUndefined(() =>
      call(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal),
    );
  } catch (error) {
    if (!deadline.signal.aborted || error instanceof StorageFault) throw error;
    throw new StorageFault(`no answer within ${deadlineMs} ms`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the response; undefined when there is no such object. */
export async function orUndefined<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call();
  } catch (error) {
    if (
      error instanceof StorageFault ||
      error instanceof ObjectChanged ||
      error instanceof RangeNotSatisfiable
    )
      throw error;
    if (!isOfService(error)) {
      if ((error as Error).name === 'AbortError') throw error;
      throw new StorageFault((error as Error).message, { cause: error });
    }
    const status = error.$metadata.httpStatusCode;
    if (status === 404 && error.name !== 'NoSuchBucket') return undefined;
    if (status === 412) throw new ObjectChanged(error.message, { cause: error });
    throw new StorageFault(`${error.name}: ${error.message}`, { cause: error });
  }
}

/** Whether the service answered with this. By its fields, since the package of the class is loaded with the first write. */
const isOfService = (error: unknown): error is S3ServiceException =>
  error instanceof Error && '$metadata' in error;

/** The configured location of the storage. */
interface Place {
  endpoint: string;
  bucket: string;
  region: string;
}

/** Returns what an operator should check when the storage cannot be used. */
export function adviceFor(fault: string, { endpoint, bucket, region }: Place): string {
  if (/NoSuchBucket/.test(fault)) return `there is no bucket ${bucket}; check STORAGE_BUCKET (${fault})`;
  if (/AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraint/.test(fault))
    return `the bucket is not in the region ${region}; check STORAGE_REGION (${fault})`;
  if (/: 40[13]\b/.test(fault))
    return `the credentials are refused; check STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and what they permit (${fault})`;
  return `${new URL(endpoint).origin} cannot be used; check STORAGE_ENDPOINT and the service (${fault})`;
}
