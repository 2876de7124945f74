// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List what a person must deal with, newest first. `GET /v1/admin/alerts` For administrator. */
export const listAlerts: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    status?: 'open' | 'closed';
    /** The `target` of the alerts */
    target?: string;
  };
  data: wire.Alert[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listAlerts',
  method: 'GET',
  path: '/v1/admin/alerts',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Record that an alert was dealt with. `POST /v1/admin/alerts/{alertId}/close` For administrator. */
export const closeAlert: Operation<{
  params: {
    alertId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.Alert;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'ALERT_CLOSED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'closeAlert',
  method: 'POST',
  path: '/v1/admin/alerts/{alertId}/close',
  fill: filled,
  isIdempotent: true,
};

/** See the processes, the external systems, the settings and the newest backup. `GET /v1/admin/health` For administrator. */
export const getInstallationHealth: Operation<{
  data: wire.InstallationHealth;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'getInstallationHealth',
  method: 'GET',
  path: '/v1/admin/health',
};

/** Record the newest backup, as the job that takes backups does. `PUT /v1/admin/backups/last` For administrator. */
export const recordBackup: Operation<{
  body: wire.RecordBackupBody;
  data: wire.Backup;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN';
}> = {
  id: 'recordBackup',
  method: 'PUT',
  path: '/v1/admin/backups/last',
};

/** Find any record by an identifier or a name. `GET /v1/admin/search` For administrator. */
export const searchRecords: Operation<{
  query: {
    /** An identifier of any kind (a request, a payment session, a payout, an object identifier), an e-mail address, or the beginning of a name */
    q: string;
  };
  data: wire.FoundRecord[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'searchRecords',
  method: 'GET',
  path: '/v1/admin/search',
};

/** See what waits for a person, and how the platform is doing. `GET /v1/admin/overview` For administrator. */
export const getOverview: Operation<{
  data: wire.Overview;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'getOverview',
  method: 'GET',
  path: '/v1/admin/overview',
};
