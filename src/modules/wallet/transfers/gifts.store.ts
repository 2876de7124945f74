import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { fromReference, type ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { Gift, GiftFilter, GiftPeriod, GiftRank, GiftSums } from '../contract.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';

const IS_GIFT = `type = 'transfer' and metadata ->> 'gift' = 'true'`;
const WITHIN = `${IS_GIFT} and created_at >= $1 and created_at < $2`;
const COLUMNS = `id, from_user_id as "fromUserId", to_user_id as "toUserId", amount, description as message,
  metadata ->> 'surface' as surface, created_at as "createdAt"`;

/** SQL of gifts, which are transfers marked as such. */
export function giftStore(database: Database) {
  /**
   * Ranks one side of the gifts of a period; uses a snapshot, because long periods may exceed the timeout of a request.
   */
  const rank =
    (own: string, other: string) =>
    ({ from, to }: GiftPeriod, { limit, except = [] }: { limit: number; except?: ObjectId[] }) =>
      database.snapshot((queries) =>
        queries.all<GiftRank>(
          `select ${own} as "userId", sum(amount)::bigint as keys, count(*) as gifts,
             count(distinct ${other}) as counterparties, max(created_at) as "lastGiftAt"
           from wallet.transaction where ${WITHIN} and ${own} <> all($3::text[])
           group by ${own} order by keys desc, gifts desc, "userId" limit $4`,
          [from, to, except, limit],
        ),
      );

  return {
    /** Returns a member's gifts on one side and surface, newest first; served by gift_sent and gift_received. */
    async pageOf({ userId, side, surface }: GiftFilter, request: PageRequest): Promise<Page<Gift>> {
      const { before: reference } = request;
      // A reference that stands for no id sorts before all.
      const before = reference === undefined ? undefined : (fromReference('txn', reference) ?? '');
      const own = side === 'sent' ? 'from_user_id' : 'to_user_id';
      const page = await readPage<Omit<Gift, 'transactionId'> & { id: ObjectId }>(
        database,
        {
          columns: COLUMNS,
          from: `wallet.transaction where ${IS_GIFT} and ${own} = $1 and metadata ->> 'surface' = $2
            and $3::text is not null`,
          orderBy: 'id desc',
          count:
            'select gifts as total from wallet.gift_tally where user_id = $1 and surface = $2 and side = $3',
        },
        [userId, surface, side],
        { ...request, before },
      );
      return mapPage(page, ({ id, ...gift }) => ({ ...gift, transactionId: transactionIdOf(id) }));
    },

    /** Returns the number of Keys that a member has sent or received on a surface, from a stored tally. */
    keysOf: ({ userId, side, surface }: GiftFilter): Promise<number> =>
      database.count('select keys from wallet.gift_tally where user_id = $1 and surface = $2 and side = $3', [
        userId,
        surface,
        side,
      ]),

    async sums({ from, to }: GiftPeriod): Promise<GiftSums> {
      const sums = await database.snapshot((queries) =>
        queries.all<GiftSums>(
          `select coalesce(sum(amount), 0)::bigint as "giftedKeys", count(*) as gifts,
             count(distinct from_user_id) as gifters, count(distinct to_user_id) as "giftRecipients"
           from wallet.transaction where ${WITHIN}`,
          [from, to],
        ),
      );
      return only(sums);
    },
    topSenders: rank('from_user_id', 'to_user_id'),
    topRecipients: rank('to_user_id', 'from_user_id'),
  };
}
