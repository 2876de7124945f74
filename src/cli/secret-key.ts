import type { Platform } from '../app/platform.ts';
import type { SealedCount } from '../kernel/records/resealing.ts';

/** Longer than any link or code is valid, and than any job is tried again. */
const KEEP_DAYS = 8;

/**
 * `secret-key rotate`: seals with SECRET_KEY what was sealed with SECRET_KEY_FALLBACKS, and prints what every sealed
 * column holds then; sets exit code 1 while anything is not sealed with SECRET_KEY.
 * @param isCounting whether it only counts
 */
export const rotateSecretKey =
  (isCounting: boolean) =>
  async ({ resealing }: Platform): Promise<void> => {
    if (!isCounting)
      await resealing.reseal((place, done) => console.error(`${place}: ${done} sealed again so far`));
    const counts = await resealing.count();
    for (const count of counts) console.log(lineOf(count));
    const former = counts.reduce((sum, count) => sum + count.former, 0);
    const unreadable = counts.reduce((sum, count) => sum + count.unreadable, 0);
    console.log(`remaining under former keys: ${former}`);
    if (unreadable > 0)
      console.log(`OPENED BY NO KEY: ${unreadable}. Add the key that sealed them to SECRET_KEY_FALLBACKS.`);
    else if (former === 0)
      console.log(
        `Everything that is stored is sealed with SECRET_KEY. Links and codes that were sent before stay valid with ` +
          `SECRET_KEY_FALLBACKS: keep it for ${KEEP_DAYS} days, count again, and then remove it.`,
      );
    if (former + unreadable > 0) process.exitCode = 1;
  };

const lineOf = ({ place, current, former, unreadable }: SealedCount): string =>
  `${place}: ${current} with SECRET_KEY, ${former} with a former key${unreadable > 0 ? `, ${unreadable} UNREADABLE` : ''}`;
