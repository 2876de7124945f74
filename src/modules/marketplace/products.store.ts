import type { Database } from '../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Product } from './products.model.ts';

const COLUMNS = `id, name, description, image_url as "imageUrl", product_type as "productType",
  scanner_id as "scannerId", cta_type as "ctaType", cta_url as "ctaUrl", request_fields as "requestFields",
  is_active as "isActive", sort_order as "sortOrder", created_at as "createdAt", updated_at as "updatedAt"`;

/** The properties that an update writes. */
const CONTENT = [
  'name',
  'description',
  'imageUrl',
  'productType',
  'scannerId',
  'ctaType',
  'ctaUrl',
  'requestFields',
  'isActive',
  'sortOrder',
  'updatedAt',
] as const;
const written = (product: Product) => ({
  ...product,
  requestFields: JSON.stringify(product.requestFields),
});

const list = statement<Product>(
  'marketplace.list-products',
  `select ${COLUMNS} from marketplace.product
   where deleted_at is null and (is_active or $1) and ($2::text is null or product_type = $2)
   order by sort_order, id limit $3`,
);
const find = statement<Product>(
  'marketplace.find-product',
  `select ${COLUMNS} from marketplace.product where id = $1 and deleted_at is null`,
);

/** SQL of products. */
export function productStore(database: Database) {
  return {
    list: (
      includesInactive: boolean,
      type: Product['productType'] | undefined,
      limit: number,
    ): Promise<Product[]> => database.reads.all(list, [includesInactive, type ?? null, limit]),
    find: (id: ObjectId, queries: Queries = database): Promise<Product | undefined> =>
      queries.first(find, [id]),
    /** Returns a product even if it was deleted, for the requests that were made for it; a deleted one names no indicator. */
    findKept: (tx: Transaction, id: ObjectId): Promise<Product | undefined> =>
      tx.first(`select ${COLUMNS} from marketplace.product where id = $1`, [id]),
    findAll: (ids: ObjectId[], queries: Queries = database): Promise<Product[]> =>
      queries.all<Product>(
        `select ${COLUMNS} from marketplace.product where id = any($1) and deleted_at is null`,
        [ids],
      ),
    count: (tx: Transaction): Promise<number> =>
      tx.count('select count(*) from marketplace.product where deleted_at is null'),
    /** Locks a product against other changes, and returns it. */
    async lock(tx: Transaction, id: ObjectId): Promise<Product | undefined> {
      return tx.first(
        `select ${COLUMNS} from marketplace.product where id = $1 and deleted_at is null for no key update`,
        [id],
      );
    },
    async insert(tx: Transaction, product: Product): Promise<void> {
      await tx.insert('marketplace.product', written(product), ['id', 'createdAt', ...CONTENT]);
    },
    async update(tx: Transaction, product: Product): Promise<void> {
      await tx.update('marketplace.product', written(product), CONTENT);
    },
    /** Returns when members were told of a product; null if they were not. */
    announcedAt: async (tx: Transaction, id: ObjectId): Promise<Date | null> =>
      (
        await tx.first<{ at: Date | null }>(
          'select announced_at as at from marketplace.product where id = $1',
          [id],
        )
      )?.at ?? null,
    announce: async (tx: Transaction, id: ObjectId, at: Date): Promise<void> => {
      await tx.execute('update marketplace.product set announced_at = $2 where id = $1', [id, at]);
    },
    /** Deletes a product; requests for it are kept. */
    async delete(tx: Transaction, id: ObjectId, at: Date): Promise<void> {
      await tx.execute(
        'update marketplace.product set deleted_at = $2, scanner_id = null, image_url = null where id = $1',
        [id, at],
      );
    },
  };
}

export type ProductStore = ReturnType<typeof productStore>;
