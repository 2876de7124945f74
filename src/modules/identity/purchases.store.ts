import type { Product } from '../../external/directory/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';

export interface Purchase {
  id: ObjectId;
  sku: string;
  product_name: string;
  last_purchased_date: Date;
  createdAt: Date;
}

interface Tables {
  'identity.purchase': {
    id: string;
    user_id: string;
    sku: string;
    product_name: string;
    last_purchased_date: Date;
    created_at: Date;
  };
}

const COLUMNS = ['id', 'sku', 'product_name', 'last_purchased_date', 'created_at as createdAt'] as const;
/** Nobody buys more often; what is older does not grant access any more. */
const MAX_PRODUCTS = 500;

export function purchaseStore(database: Database) {
  const ofUser = (userId: ObjectId) =>
    database.tables<Tables>().selectFrom('identity.purchase').select(COLUMNS).where('user_id', '=', userId);
  return {
    productsOf: async (userId: ObjectId): Promise<Product[]> =>
      (await ofUser(userId).orderBy('id', 'desc').limit(MAX_PRODUCTS).execute()).map((purchase) => ({
        sku: purchase.sku,
        product_name: purchase.product_name,
        last_purchased_date: purchase.last_purchased_date.toISOString(),
      })),
    pageOf: (userId: ObjectId, page: PageRequest): Promise<Page<Purchase>> =>
      readPage(ofUser(userId).orderBy('id', 'desc'), page),
    insert: async (tx: Transaction, userId: ObjectId, purchase: Purchase): Promise<void> => {
      const { createdAt, ...same } = purchase;
      await tx
        .tables<Tables>()
        .insertInto('identity.purchase')
        .values({ ...same, user_id: userId, created_at: createdAt })
        .execute();
    },
    remove: (tx: Transaction, userId: ObjectId, id: ObjectId): Promise<Purchase | undefined> =>
      tx
        .tables<Tables>()
        .deleteFrom('identity.purchase')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning(COLUMNS)
        .executeTakeFirst(),
  };
}

export type PurchaseStore = ReturnType<typeof purchaseStore>;
