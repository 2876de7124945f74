// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List addresses that get no mail, newest first. `GET /v1/admin/mail/suppressions` For administrator. */
export const listMailSuppressions: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    email?: string;
  };
  data: wire.MailSuppression[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listMailSuppressions',
  method: 'GET',
  path: '/v1/admin/mail/suppressions',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Send mail to an address again. `DELETE /v1/admin/mail/suppressions/{email}` For administrator. */
export const deleteMailSuppression: Operation<{
  params: {
    email: string;
  };
  body: wire.ReasonBody;
  data: wire.MailSuppression;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'NOT_FOUND';
}> = {
  id: 'deleteMailSuppression',
  method: 'DELETE',
  path: '/v1/admin/mail/suppressions/{email}',
  fill: filled,
};
