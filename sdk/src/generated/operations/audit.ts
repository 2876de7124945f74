// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode } from '../codes.ts';
import { readCsv } from '../../files.ts';
import { pagesOf } from '../../pages.ts';
import type * as wire from '../wire.ts';

/** List the audit log, newest first. `GET /v1/admin/audit` For administrator. */
export const listAudit: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    actor?: string;
    action?: string;
    target?: string;
    /** Entries about a transaction of Keys: whose target it is, or whose details name it, as those of fundings, debits and settlements */
    transactionId?: string;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
    /** `csv` returns all that matches as a file, at most 100,000 rows */
    format?: 'json' | 'csv';
  };
  data: wire.AuditRecord[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listAudit',
  method: 'GET',
  path: '/v1/admin/audit',
  pages: pagesOf,
  cursor: ['before', 'id'],
  read: readCsv,
};

/** List the actions in the audit log. `GET /v1/admin/audit/actions` For administrator. */
export const listAuditActions: Operation<{
  data: string[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listAuditActions',
  method: 'GET',
  path: '/v1/admin/audit/actions',
};
