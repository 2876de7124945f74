import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Seed } from '../seed.ts';

/** The accounts of the plan's members, some of them educators. */
export const identitySeed: Seed = {
  large: async (tx, { passwordHash }) => {
    const seeded = await tx.first("select 1 from identity.user where username like 'seed-%' limit 1");
    if (seeded) throw new OperatorFault('the half year has been seeded before');
    await tx.execute(
      `insert into identity.user (id, email, username, first_name, last_name, permissions, educator, created_at, updated_at)
       select id, email, 'seed-' || n, first, last,
         case when teaches then array['educator'] else '{}' end,
         case when teaches then jsonb_build_object('educator_title', pg_temp.pick('Analyst Strategist Mentor Coach'),
           'specialty', pg_temp.pick('Metals Forex Indices Crypto Options'),
           'educator_bio', first || ' has traded for ' || 3 + n || ' years.') else '{}' end, at, at
       from seeded_member`,
    );
    await tx.execute(
      'insert into identity.password (user_id, hash, changed_at) select id, $1, at from seeded_member',
      [passwordHash],
    );
    await tx.execute(
      `insert into seeded_fact (name, type, user_id, at) select 'signup.completed', 'conversion', id, at
       from seeded_member`,
    );
    return 'accounts of members and educators';
  },
};
