import { Type } from 'typebox';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../time/time.ts';
import { DateTime } from './shapes.ts';

const BUCKET_MS = 5 * MINUTE_MS;
const BUCKETS = DAY_MS / BUCKET_MS;

/** How often something happened in each five minutes of the last day. */
export const DaySeriesShape = Type.Object(
  {
    from: { ...DateTime, description: 'When the first bucket begins' },
    bucketSeconds: Type.Integer({ examples: [BUCKET_MS / SECOND_MS] }),
    counts: Type.Array(Type.Integer(), { description: `${BUCKETS} buckets; the last one is under way` }),
  },
  { $id: 'DaySeries' },
);

/** The count of a bucket, which is numbered from the beginning of the series. */
export interface BucketCount {
  bucket: number;
  count: number;
}

/**
 * Returns the counts of the last day.
 * @param countFrom counts what happened since an instant, in buckets of so many seconds; buckets may be missing
 */
export async function daySeries(
  now: Date,
  countFrom: (from: Date, bucketSeconds: number) => Promise<BucketCount[]>,
) {
  const end = (Math.floor(now.getTime() / BUCKET_MS) + 1) * BUCKET_MS;
  const from = new Date(end - DAY_MS);
  const bucketSeconds = BUCKET_MS / SECOND_MS;
  const counts = Array.from({ length: BUCKETS }, () => 0);
  for (const { bucket, count } of await countFrom(from, bucketSeconds))
    if (bucket >= 0 && bucket < BUCKETS) counts[bucket] = count;
  return { from, bucketSeconds, counts };
}
