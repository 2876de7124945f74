import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { BackupShape, HealthShape, RecordBackupBody } from './health.schemas.ts';
import type { HealthRules } from './health.ts';

const tag = 'Administration';

export const healthOperations = (health: HealthRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/admin/health',
    id: 'getInstallationHealth',
    tag,
    summary: 'See the processes, the external systems, the settings and the newest backup',
    access: administrator,
    success: ok(HealthShape),
    handle: () => health.read(),
  }),
  operation({
    method: 'PUT',
    path: '/v1/admin/backups/last',
    id: 'recordBackup',
    tag,
    summary: 'Record the newest backup, as the job that takes backups does',
    access: administrator,
    body: RecordBackupBody,
    success: ok(BackupShape, { message: 'Backup recorded' }),
    handle: ({ body: { at, head, place }, caller, facts }) =>
      health.recordBackup({ at, head, place }, actorOf(caller, facts)),
  }),
];
