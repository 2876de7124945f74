// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode } from '../codes.ts';
import type * as wire from '../wire.ts';

/** List the audit log, newest first. `GET /v1/admin/audit` For administrator. */
export const listAudit: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    actor?: string;
    action?: string;
    target?: string;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: string;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: string;
  };
  data: wire.AuditRecord[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listAudit',
  method: 'GET',
  path: '/v1/admin/audit',
  takes: 'query',
  takesToken: true,
  pages: 'page',
};
