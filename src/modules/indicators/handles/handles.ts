import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../../kernel/core.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { DAY_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import type { AccountRules } from '../account/account.ts';
import type { SpellingStore } from './spellings.store.ts';

/** Maximum time for which a member waits for the charting platform; a later answer is stored for the grants. */
export const CHECK_MS = 2 * SECOND_MS;
const MAX_WAIT_FOR_SLOT_MS = SECOND_MS;
/** Limited, because all members share the platform's calls; further handles are looked up when they are granted. */
const CHECKS = { lengthMs: DAY_MS, limit: 20 };

interface Deps extends Pick<Core, 'database' | 'cache' | 'clock' | 'log'> {
  spellings: Pick<SpellingStore, 'find' | 'save'>;
  account: Pick<AccountRules, 'turn' | 'call'>;
  settings: { hasPlatform: boolean };
}

export interface CheckedHandle {
  handle: string;
  /** Whether the charting platform confirmed it. */
  isChecked: boolean;
}

/** Looks up handles at the charting platform when members enter them. */
export function handleRules({ spellings, account, database, cache, clock, log, settings }: Deps) {
  /** @returns undefined if the platform cannot be called now or gives no answer */
  async function lookUp(handle: string): Promise<{ spelling: string | undefined } | undefined> {
    if (!(await account.turn(undefined, MAX_WAIT_FOR_SLOT_MS))) return undefined;
    const outcome = await account.call((platform) => platform.resolve(handle), {
      withSession: false,
      mayPause: false,
    });
    if (outcome.kind === 'unknown-user') return { spelling: undefined };
    if (outcome.kind !== 'known') return undefined;
    const canonical = (outcome as { handle: string }).handle;
    await spellings.save(database, canonical, clock.date());
    return { spelling: canonical };
  }

  async function mayLookUp(userId: ObjectId): Promise<boolean> {
    if (!settings.hasPlatform) return false;
    return (await cache.consumeSliding(`charting-lookup:${userId}`, CHECKS, clock.now())).admitted;
  }

  return {
    /**
     * Returns a handle in the platform's spelling, or as given if the platform does not answer in time.
     * @throws 422 if the platform has no user with this handle
     */
    async check(handle: string, userId: ObjectId): Promise<CheckedHandle> {
      const spelling = await spellings.find(database, handle, clock.date());
      if (spelling !== undefined) return { handle: spelling, isChecked: true };
      if (!(await mayLookUp(userId))) return { handle, isChecked: false };
      const looking = lookUp(handle).catch((error: Error) => {
        log.warn({ error: error.message }, 'looking up a charting username failed');
        return undefined;
      });
      const found = await Promise.race([looking, sleep(CHECK_MS, undefined, { ref: false })]);
      if (found === undefined) return { handle, isChecked: false };
      if (found.spelling === undefined)
        throw validationFailed([
          { field: 'chartingUsername', message: 'is not the name of anybody at the charting platform' },
        ]);
      return { handle: found.spelling, isChecked: true };
    },
  };
}

export type HandleRules = ReturnType<typeof handleRules>;
