import { Type } from 'typebox';
import { administrator } from '../kernel/operations/access.ts';
import { type Operation, operation, pageOf } from '../kernel/operations/operation.ts';
import { periodOf } from '../kernel/operations/periods.ts';
import { DateTime, nullable, ObjectIdShape, pageQuery, periodQuery } from '../kernel/operations/shapes.ts';
import type { Audit } from '../kernel/records/audit.ts';

const AuditRecord = Type.Object(
  {
    id: ObjectIdShape,
    actor: Type.String({
      description: 'A user id, or `service:<name>`',
      examples: ['6740f1c2a9b3e4d5f6a7b8c9'],
    }),
    actorEmail: nullable(Type.String({ examples: ['admin@example.com'] })),
    action: Type.String({ examples: ['wallet.funded'] }),
    target: nullable(
      Type.String({ description: 'The object of the action', examples: ['6740f1c2a9b3e4d5f6a7b8ca'] }),
    ),
    details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    requestId: nullable(Type.String()),
    createdAt: DateTime,
  },
  { $id: 'AuditRecord' },
);

const Word = Type.Optional(Type.String({ maxLength: 100 }));

export const auditOperations = (audit: Audit): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/admin/audit',
    id: 'listAudit',
    tag: 'Audit',
    summary: 'List the audit log, newest first',
    access: administrator,
    query: Type.Object({ ...pageQuery(), actor: Word, action: Word, target: Word, ...periodQuery }),
    success: pageOf(AuditRecord),
    handle: ({ query: { page, limit, actor, action, target, ...period } }) =>
      audit.pageOf({ actor, action, target, ...periodOf(period) }, { page, limit }),
  }),
];
