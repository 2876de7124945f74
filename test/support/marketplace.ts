import { createProduct, submitAccessRequest } from '../../sdk/src/index.ts';
import type { TypesOf } from '../../sdk/src/operation.ts';
import type { TestPlatform } from './platform.ts';

export type ProductDraft = TypesOf<typeof createProduct>['body'];
type Entered = Partial<TypesOf<typeof submitAccessRequest>['body']>;
type Member = Awaited<ReturnType<TestPlatform['newMember']>>;

/** Helpers of the tests of the marketplace: create products, and request access to them. */
export function marketplaceTools({ admin }: Pick<TestPlatform, 'admin'>) {
  const request = ({ email }: Member, product: { id: string }, entered: Entered) => ({
    body: { productId: product.id, fullName: ' Ada L ', email, ...entered },
  });
  return {
    newProduct: async (fields: Partial<ProductDraft>) =>
      (await admin.call(createProduct, { body: { name: 'A product', productType: 'misc', ...fields } })).data,
    ask: (by: Member, product: { id: string }, entered: Entered = {}) =>
      by.client.call(submitAccessRequest, request(by, product, entered)),
    tryToAsk: (by: Member, product: { id: string }, entered: Entered = {}) =>
      by.client.attempt(submitAccessRequest, request(by, product, entered)),
  };
}
