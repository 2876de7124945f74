import { type Notice, notice, noticeAction, REMINDER } from '../notifications/contract.ts';
import { requestDecided } from './contract.ts';
import type { RequestStore } from './requests.store.ts';

export const marketplaceNotices = ({ findNamed }: Pick<RequestStore, 'findNamed'>): Notice[] => [
  notice(requestDecided, {
    type: REMINDER,
    action: noticeAction('open-product', {
      opens: 'the product',
      path: '/v1/streams/marketplace/products/{productId}',
      ids: ['productId', 'requestId'],
    }),
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
