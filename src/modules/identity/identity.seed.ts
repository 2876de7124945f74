import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Seed } from '../seed.ts';

/** A SKU that grants access to every platform for a year. */
const SUBSCRIPTION = { sku: 'XHSET303', product_name: 'A year of everything' };

/** Seeds the accounts of members, some of them educators, and purchases that grant members access to every platform. */
export const identitySeed: Seed = {
  small: async ({ call, admin, educator, members }) => {
    const what = 'a subscription for each, which opens every platform, such as "app" and "livestream"';
    let isNew = false;
    for (const { id } of [educator, ...members]) {
      const path = `/v1/admin/auth/users/${id}/purchases`;
      const known = (await call('GET', path, undefined, admin)) as { sku: string }[];
      if (known.some(({ sku }) => sku === SUBSCRIPTION.sku)) continue;
      const boughtAt = new Date().toISOString();
      await call('POST', path, { ...SUBSCRIPTION, last_purchased_date: boughtAt }, admin);
      isNew = true;
    }
    return { what, isNew };
  },
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
      `insert into identity.purchase (id, user_id, sku, product_name, last_purchased_date, created_at)
       select pg_temp.new_id(at), id, $1, $2, at, at from seeded_member`,
      [SUBSCRIPTION.sku, SUBSCRIPTION.product_name],
    );
    await tx.execute(
      `insert into seeded_fact (name, type, user_id, at) select 'signup.completed', 'conversion', id, at
       from seeded_member`,
    );
    return 'accounts of members and educators';
  },
};
