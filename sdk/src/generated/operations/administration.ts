// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import type * as wire from '../wire.ts';

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
    /** An identifier of any kind (a request, a payment session, an object identifier), an e-mail address, or the beginning of a name */
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
