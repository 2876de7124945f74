import { Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import {
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
  pageQuery,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';
import { REPORT_STATUSES } from './contract.ts';

export const BlockShape = Type.Object(
  { userId: ObjectIdShape, user: MemberShape, blockedAt: DateTime },
  { $id: 'Block' },
);

export const BlockedOut = Type.Object({ userId: ObjectIdShape, blocked: Type.Boolean() });

export const ListBlocksQuery = Type.Object(pageQuery());

export const ResolveReportBody = Type.Object({ outcome: oneOf(['dismissed', 'removed']) });

/** Returns the shapes of reports of content of these kinds. */
export function reportShapes(kinds: string[]) {
  const KindShape = oneOf(kinds, { examples: ['announcement'] });
  const ReportShape = Type.Object(
    {
      id: ObjectIdShape,
      kind: KindShape,
      subjectId: ObjectIdShape,
      containerId: nullable(ObjectIdShape),
      authorId: ObjectIdShape,
      text: Type.String({ description: 'The text at the time of the report' }),
      reportedBy: nullable({ ...ObjectIdShape, description: 'Null in reports of what you published' }),
      reason: Type.String({ examples: ['Spam'] }),
      status: oneOf(REPORT_STATUSES),
      createdAt: DateTime,
      resolvedAt: nullable(DateTime),
      resolvedBy: nullable(ObjectIdShape),
    },
    { $id: 'Report' },
  );
  const SentReport = Type.Object(
    {
      id: ObjectIdShape,
      kind: KindShape,
      subjectId: ObjectIdShape,
      status: oneOf(REPORT_STATUSES),
      createdAt: DateTime,
    },
    { $id: 'SentReport' },
  );
  const ReportBody = Type.Object({
    kind: KindShape,
    subjectId: bodyId('subject'),
    reason: readableText(500, { examples: ['Spam'] }),
  });
  const ListReportsQuery = Type.Object({
    ...pageQuery(),
    kind: Type.Optional(KindShape),
    status: Type.Optional(oneOf(REPORT_STATUSES)),
  });
  return { ReportShape, SentReport, ReportBody, ListReportsQuery };
}
