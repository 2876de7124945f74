import { type Notice, notice } from '../notifications/contract.ts';
import { requestDecided } from './contract.ts';

export const marketplaceNotices: Notice[] = [
  notice(requestDecided, ({ userId, requestId, productId, productName, decision, reason }) => [
    {
      to: userId,
      type: 'reminder',
      title: decision === 'approved' ? 'Your request was approved' : 'Your request was not approved',
      message: reason === '' ? productName : `${productName}: ${reason}`,
      channels: ['push', 'email'],
      metadata: { action: 'open-product', requestId, productId, decision },
    },
  ]),
];
