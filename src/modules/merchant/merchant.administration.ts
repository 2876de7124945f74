import type { LookUp } from '../administration/contract.ts';
import type { CheckoutStore } from './checkouts.store.ts';

/** Finds checkouts for administrators: by their own id, or by the session or payment of the provider. */
export const checkoutLookUp = ({ findByAnyId }: Pick<CheckoutStore, 'findByAnyId'>): LookUp => ({
  type: 'checkout',
  find: async ({ text }) =>
    (await findByAnyId(text)).map(({ id, purpose, cents, status, userId }) => {
      const title = `${purpose} for ${(cents / 100).toFixed(2)} USD, ${status}`;
      return { id, title, userId, match: 'id' };
    }),
});
