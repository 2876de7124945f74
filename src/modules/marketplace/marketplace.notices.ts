import { ANNOUNCEMENT, type Notice, notice, noticeAction, REMINDER } from '../notifications/contract.ts';
import { productOffered, requestDecided } from './contract.ts';
import type { ProductStore } from './products.store.ts';
import type { RequestStore } from './requests.store.ts';

const OPEN_PRODUCT = noticeAction('open-product', {
  opens: 'the product',
  path: '/v1/streams/marketplace/products/{productId}',
  ids: ['productId'],
  optionalIds: ['requestId'],
});

interface Stores {
  requests: Pick<RequestStore, 'findNamed'>;
  products: Pick<ProductStore, 'findAll'>;
}

export const marketplaceNotices = ({ requests: { findNamed }, products }: Stores): Notice[] => [
  notice(productOffered, {
    type: ANNOUNCEMENT,
    action: OPEN_PRODUCT,
    read: async (all, queries) => {
      const found = await products.findAll(
        all.map(({ productId }) => productId),
        queries,
      );
      return new Map(found.map((product) => [product.id, product]));
    },
    write: ({ productId }, found) => {
      const product = found.get(productId);
      if (!product?.isActive) return [];
      return [
        {
          topic: 'GENERAL',
          priority: 'medium',
          channels: ['push'],
          title: 'New in the marketplace',
          message: product.name,
          ids: { productId },
        },
      ];
    },
  }),
  notice(requestDecided, {
    type: REMINDER,
    action: OPEN_PRODUCT,
    read: async (all, queries) => {
      const requests = await findNamed(
        all.map(({ requestId }) => requestId),
        queries,
      );
      return new Map(requests.map((request) => [request.id, request]));
    },
    // If the decision has changed since, the notification of the later decision replaces this one.
    write: ({ userId, requestId, productId, decision }, requests) => {
      const request = requests.get(requestId);
      if (request?.status !== decision) return [];
      const { productName, reason } = request;
      return [
        {
          to: userId,
          title: decision === 'approved' ? 'Your request was approved' : 'Your request was not approved',
          message: reason ? `${productName}: ${reason}` : productName,
          channels: ['push', 'email'],
          ids: { productId, requestId },
          details: { decision },
        },
      ];
    },
  }),
];
