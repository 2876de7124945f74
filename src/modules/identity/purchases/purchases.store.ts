import type { Product } from '../../../external/directory/port.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Purchase } from './purchases.model.ts';

/** A purchase as a database row; the directory's API names some of these fields in snake_case. */
interface PurchaseRow {
  id: ObjectId;
  sku: string;
  productName: string;
  lastPurchasedDate: Date;
  createdAt: Date;
}

const COLUMNS = 'id, sku, product_name, last_purchased_date, created_at';
/** Above the number of purchases of any customer; older purchases no longer grant access. */
const MAX_PRODUCTS = 500;

const newestPurchases = statement<PurchaseRow>(
  'identity.newest-purchases',
  `select ${COLUMNS} from identity.purchase where user_id = $1 order by id desc limit ${MAX_PRODUCTS}`,
);

export function purchaseStore(database: Database) {
  return {
    productsOf: async (userId: ObjectId): Promise<Product[]> => {
      const rows = await database.all(newestPurchases, [userId]);
      return rows.map(({ sku, productName, lastPurchasedDate }) => ({
        sku,
        product_name: productName,
        last_purchased_date: lastPurchasedDate.toISOString(),
      }));
    },
    /** Returns purchases newest first. */
    async pageOf(userId: ObjectId, page: PageRequest): Promise<Page<Purchase>> {
      const from = 'identity.purchase where user_id = $1';
      const paged = { columns: COLUMNS, from, orderBy: 'id desc', isGrowing: true };
      return mapPage(await readPage<PurchaseRow>(database, paged, [userId], page), toPurchase);
    },
    insert: async (tx: Transaction, userId: ObjectId, purchase: Purchase): Promise<void> => {
      await tx.insert('identity.purchase', {
        id: purchase.id,
        userId,
        sku: purchase.sku,
        productName: purchase.product_name,
        lastPurchasedDate: purchase.last_purchased_date,
        createdAt: purchase.createdAt,
      });
    },
    remove: async (tx: Transaction, userId: ObjectId, id: ObjectId): Promise<Purchase | undefined> => {
      const removed = await tx.first<PurchaseRow>(
        `delete from identity.purchase where id = $1 and user_id = $2 returning ${COLUMNS}`,
        [id, userId],
      );
      return removed && toPurchase(removed);
    },
  };
}

export type PurchaseStore = ReturnType<typeof purchaseStore>;

const toPurchase = ({ productName, lastPurchasedDate, ...row }: PurchaseRow): Purchase => ({
  ...row,
  product_name: productName,
  last_purchased_date: lastPurchasedDate,
});
