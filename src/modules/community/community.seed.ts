import type { Transaction } from '../../kernel/database/queries.ts';
import type { Seed } from '../seed.ts';

const TOPICS =
  'Gold Silver Copper Crude EURUSD GBPJPY Nasdaq Bitcoin Options Volatility Scalping Swing Momentum Breakouts';
const SAYINGS = [
  'breaks out above resistance on strong volume',
  'holds the retracement and looks ready to turn',
  'shows a clear divergence, careful with new longs',
  'is consolidating, liquidity builds below the range',
  'respects the trend line for the fourth time',
  'gave back all of yesterday, volatility is everywhere',
];

export const communitySeed: Seed = {
  large: async (tx, { days }) => {
    await communities(tx, days);
    await posts(tx);
    await facts(tx);
    return 'communities with posts, comments and reactions';
  },
};

async function communities(tx: Transaction, days: number): Promise<void> {
  await tx.execute(
    `create temporary table seeded_community as
     select pg_temp.new_id(now() - $1 * interval '1 day') as id, name from unnest(array['Metals', 'Forex', 'Crypto', 'Beginners']) name`,
    [days],
  );
  await tx.execute(
    `insert into community.community (id, name, created_by, created_at)
     select id, name, (select id from seeded_member where n = 1), now() - $1 * interval '1 day' from seeded_community`,
    [days],
  );
  await tx.execute(
    `insert into community.member (community_id, user_id, joined_at)
     select c.id, s.id, s.at from seeded_member s join seeded_community c on random() < 0.4`,
  );
}

async function posts(tx: Transaction): Promise<void> {
  await tx.execute(
    `create temporary table seeded_post as
     select pg_temp.new_id(t.at) as id, s.id as user_id, t.at,
       (select id from seeded_community order by random() + s.n * 0 limit 1) as community_id,
       pg_temp.pick($1) || ' ' || ($2::text[])[1 + floor(random() * array_length($2::text[], 1))] || '.' as content
     from seeded_member s cross join lateral generate_series(1, floor(s.zeal * 14)::integer) k
     cross join lateral (select s.at + (k * 0 + random()) * (now() - s.at) as at) t`,
    [TOPICS, SAYINGS],
  );
  await tx.execute(
    `insert into community.post (id, community_id, user_id, content, created_at)
     select id, community_id, user_id, content, at from seeded_post`,
  );
  await tx.execute(
    `insert into community.reaction (post_id, user_id, type, created_at)
     select p.id, s.id, pg_temp.pick('like love celebrate insightful'), p.at + random() * interval '2 days'
     from seeded_post p join seeded_member s on s.at < p.at and random() + 0 * length(p.content) < 0.002 * (0.3 + s.zeal)`,
  );
  await tx.execute(
    `insert into community.comment (id, post_id, user_id, content, created_at)
     select pg_temp.new_id(t.at), p.id, s.id, pg_temp.pick('Agreed. Nice! Why? Thanks. Hm.'), t.at
     from seeded_post p join seeded_member s on s.at < p.at and random() + 0 * length(p.content) < 0.001 * (0.2 + s.zeal)
     cross join lateral (select least(now(), p.at + random() * interval '2 days') as at) t`,
  );
  await tx.execute(
    `update community.post p set reaction_count = coalesce(r.n, 0), comment_count = coalesce(c.n, 0)
     from seeded_post s left join (select post_id, count(*) n from community.reaction group by 1) r on r.post_id = s.id
     left join (select post_id, count(*) n from community.comment group by 1) c on c.post_id = s.id where p.id = s.id`,
  );
  await tx.execute(
    `update community.community c set post_count = (select count(*) from seeded_post where community_id = c.id),
       member_count = (select count(*) from community.member where community_id = c.id)
     where id in (select id from seeded_community)`,
  );
}

async function facts(tx: Transaction): Promise<void> {
  await tx.execute(
    `insert into seeded_fact (name, type, user_id, at) select 'post.created', 'engagement', user_id, created_at from community.post
     where user_id in (select id from seeded_member)`,
  );
  await tx.execute(
    `insert into seeded_fact (name, type, user_id, at) select 'comment.created', 'engagement', user_id, created_at from community.comment
     where user_id in (select id from seeded_member)`,
  );
  await tx.execute(
    `insert into seeded_fact (name, type, user_id, at) select 'reaction.given', 'engagement', user_id, created_at from community.reaction
     where user_id in (select id from seeded_member)`,
  );
}
