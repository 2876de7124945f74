import { Type } from 'typebox';
import { administrator } from '../../../kernel/operations/access.ts';
import { csvFile } from '../../../kernel/operations/csv-lists.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { periodOf } from '../../../kernel/operations/periods.ts';
import { auditEntryNotFound } from '../../../kernel/records/audit.ts';
import { AuditRecordShape, ListAuditQuery } from './audit.schemas.ts';
import { AUDIT_COLUMNS, type AuditRules } from './audit.ts';

const tag = 'Audit';

export const auditOperations = (audit: AuditRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/admin/audit',
    id: 'listAudit',
    tag,
    summary: 'List the audit log, newest first',
    access: administrator,
    query: ListAuditQuery,
    success: pageOf(AuditRecordShape, { alsoAs: 'text/csv' }),
    failures: [auditEntryNotFound],
    handle: async ({
      query: { page, limit, before, format, actor, action, target, transactionId, ...period },
    }) => {
      const filter = { actor, action, target, transactionId, ...periodOf(period) };
      if (format !== 'csv') return audit.pageOf(filter, { page, limit, before });
      return csvFile('audit.csv', AUDIT_COLUMNS, (last, most) => audit.readAfter(filter, last, most));
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/audit/actions',
    id: 'listAuditActions',
    tag,
    summary: 'List the actions in the audit log',
    access: administrator,
    success: ok(Type.Array(Type.String({ examples: ['wallet.funded'] }))),
    handle: () => audit.actions(),
  }),
];
