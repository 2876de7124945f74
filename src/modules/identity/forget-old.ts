import type { Database } from '../../kernel/database/database.ts';
import type { Job } from '../../kernel/jobs.ts';
import { type Clock, DAY_MS } from '../../kernel/time.ts';

/** What nothing needs any more, and for how many days it is kept all the same. */
const OLD: [string, number][] = [
  [
    'identity.password_reset where email in (select email from identity.password_reset where requested_at < $1 limit 5000)',
    2,
  ],
  [
    'identity.funding_key where digest in (select digest from identity.funding_key where expires_at < $1 limit 5000)',
    1,
  ],
  [
    'identity.spent_token where jti in (select jti from identity.spent_token where expires_at < $1 limit 5000)',
    0,
  ],
  [
    `identity.refresh_token where digest in
       (select digest from identity.refresh_token where expires_at < $1 order by expires_at limit 5000)`,
    0,
  ],
  ['identity.session where id in (select id from identity.session where ended_at < $1 limit 5000)', 90],
];

/** Forgets, each night, some thousands at a time. */
export const forgetOld = ({ database, clock }: { database: Database; clock: Clock }): Job => ({
  name: 'identity.forget-old',
  cron: '41 3 * * *',
  run: async () => {
    for (const [what, days] of OLD) {
      const before = new Date(clock.now() - days * DAY_MS);
      for (let removed = 1; removed > 0; ) {
        removed = (await database.all(`delete from ${what} returning 1`, [before])).length;
      }
    }
  },
});
