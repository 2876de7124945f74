import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type FieldFault, failure, validationFailed } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { mustBeAsRead, timeOfChange } from '../../kernel/operations/lost-updates.ts';
import type { RightParts } from '../../kernel/operations/right-parts.ts';
import { type Actor, changesNothing, changesOf } from '../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../kernel/records/idempotency.ts';
import type { Indicators } from '../indicators/contract.ts';
import type { Media } from '../media/contract.ts';
import type { Notifications } from '../notifications/contract.ts';
import { productNotFound, productOffered } from './contract.ts';
import type { Product } from './products.model.ts';
import type { ProductChanges, ProductDraft } from './products.schemas.ts';
import type { ProductStore } from './products.store.ts';
import { questionFaults, questionsOf } from './questions.ts';

const MAX_PRODUCTS = 1_000;
export const tooManyProducts = failure(
  409,
  'TOO_MANY_PRODUCTS',
  `There are ${MAX_PRODUCTS} products; delete one first`,
);

const PRODUCT = 'product';

interface Deps extends Pick<Core, 'database' | 'events' | 'audit' | 'clock' | 'newId'> {
  store: ProductStore;
  indicators: Pick<Indicators, 'refer'>;
  media: Pick<Media, 'checkPublicUrls'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/** Products. A scanner product references the indicator that an approval grants. */
export function productRules(deps: Deps) {
  const { store, indicators, media, notifications, database, events, audit, clock, newId } = deps;
  /** @throws productNotFound */
  async function existing(id: ObjectId): Promise<Product> {
    const product = await store.find(id);
    if (!product) throw productNotFound();
    return product;
  }

  /** Checks the files to which a product will refer; administrators share their uploads. */
  const checkFiles = ({ imageUrl, ctaUrl }: ProductChanges, current?: Product): Promise<void> =>
    media.checkPublicUrls({ imageUrl, ctaUrl }, { alreadySaved: [current?.imageUrl, current?.ctaUrl] });

  /** Tells members of a product that is offered, once. */
  async function announce(tx: Transaction, productId: ObjectId): Promise<void> {
    if (await store.announcedAt(tx, productId)) return;
    await store.announce(tx, productId, clock.date());
    await events.publish(tx, productOffered, { productId });
  }

  /** Withdraws the notifications of a product that is no longer offered. */
  async function withdraw(tx: Transaction, productId: ObjectId): Promise<void> {
    const since = await store.announcedAt(tx, productId);
    if (since) await notifications.withdrawIn(tx, [{ of: productOffered, about: { productId }, since }]);
  }

  return {
    existing,
    /** Returns an active product. @throws productNotFound */
    async available(id: ObjectId): Promise<Product> {
      const product = await existing(id);
      if (!product.isActive) throw productNotFound();
      return product;
    },
    /** Returns active products; all products for administrators. */
    list: (includesInactive: boolean, type?: Product['productType']): Promise<Product[]> =>
      store.list(includesInactive, type, MAX_PRODUCTS),

    /** @throws indicatorNotFound, tooManyProducts, 422 for inconsistent fields */
    async create(draft: ProductDraft, actor: Actor, idempotency = notIdempotent): Promise<Product> {
      await checkFiles(draft);
      return database.transaction(async (tx) => {
        const at = clock.date();
        const blank: Product = {
          id: newId(),
          name: draft.name,
          description: '',
          imageUrl: null,
          productType: draft.productType,
          scannerId: null,
          ctaType: 'form',
          ctaUrl: null,
          requestFields: [],
          isActive: true,
          sortOrder: 0,
          createdAt: at,
          updatedAt: at,
        };
        const product = changed(blank, draft, at);
        await tx.lock('marketplace.products');
        if ((await store.count(tx)) >= MAX_PRODUCTS) throw tooManyProducts();
        await store.insert(tx, product);
        await indicators.refer(tx, PRODUCT, product.id, product.scannerId ?? undefined);
        if (product.isActive) await announce(tx, product.id);
        const details = {
          name: product.name,
          productType: product.productType,
          scannerId: product.scannerId,
        };
        await audit.record(tx, {
          ...actor,
          action: 'product.created',
          target: product.id,
          targetName: product.name,
          details,
        });
        return answered(tx, { idempotency }, product);
      });
    },

    /** Changes the given fields. @throws productNotFound, indicatorNotFound, changedMeanwhile, 422 for inconsistent fields */
    async update(current: Product, given: ProductChanges, actor: Actor): Promise<Product> {
      const { id } = current;
      const { expectedUpdatedAt, ...changes } = given;
      await checkFiles(changes, current);
      return database.transaction(async (tx) => {
        const before = await store.lock(tx, id);
        if (!before) throw productNotFound();
        const product = changed(before, changes, timeOfChange(clock, before));
        const { updatedAt: _, ...fields } = product;
        if (changesNothing(changesOf(before, fields))) return before;
        mustBeAsRead(before, { expectedUpdatedAt });
        await store.update(tx, product);
        if (product.isActive && !before.isActive) await announce(tx, id);
        if (!product.isActive && before.isActive) await withdraw(tx, id);
        if (product.scannerId !== before.scannerId)
          await indicators.refer(tx, PRODUCT, id, product.scannerId ?? undefined);
        await audit.record(tx, {
          ...actor,
          action: 'product.updated',
          target: id,
          targetName: product.name,
          changes: changesOf(before, changes),
          details: { ...changes },
        });
        return product;
      });
    },

    /** Deletes a product; requests for it are kept. @throws productNotFound */
    delete: (id: ObjectId, actor: Actor): Promise<void> =>
      database.transaction(async (tx) => {
        const product = await store.lock(tx, id);
        if (!product) throw productNotFound();
        await store.delete(tx, id, clock.date());
        await withdraw(tx, id);
        await indicators.refer(tx, PRODUCT, id, undefined);
        await audit.record(tx, { ...actor, action: 'product.deleted', target: id, targetName: product.name });
      }),
  };
}

export type ProductRules = ReturnType<typeof productRules>;

/** Returns the product with the changes applied. @throws 422 for inconsistent fields */
function changed(before: Product, changes: ProductChanges, at: Date): Product {
  const { requestFields, ...fields } = changes;
  const product: Product = { ...before, ...fields, updatedAt: at };
  const faults = productFaults(product, changes);
  if (faults.length > 0) throw validationFailed(faults);
  if (product.productType === 'misc') product.scannerId = null;
  if (product.ctaType === 'link') return { ...product, requestFields: [] };
  product.ctaUrl = null;
  if (requestFields !== undefined) product.requestFields = questionsOf(requestFields, before.requestFields);
  return product;
}

/** Returns where the fields of a product contradict each other; `changes` are those that a request gives. */
export function productFaults(
  product: Pick<ProductChanges, 'productType' | 'ctaType' | 'ctaUrl'>,
  { scannerId, requestFields = [] }: RightParts<ProductChanges>,
): FieldFault[] {
  // A link asks no questions.
  const faults = product.ctaType === 'link' ? [] : questionFaults(requestFields);
  if (product.productType === 'scanner' && product.ctaType === 'link')
    faults.push({ field: 'ctaType', message: 'must be form for a scanner product' });
  if (product.ctaType === 'link' && (product.ctaUrl ?? null) === null)
    faults.push({ field: 'ctaUrl', message: 'is required with ctaType link' });
  const isMisc = product.productType === 'misc';
  if (isMisc && scannerId !== undefined && scannerId !== null)
    faults.push({ field: 'scannerId', message: 'is allowed for scanner products only' });
  return faults;
}
