import { Type } from 'typebox';
import { MOST_COUNTED } from '../../kernel/database/pagination.ts';
import { bulkFailure, bulkIds } from '../../kernel/operations/bulk.ts';
import { bodyId } from '../../kernel/operations/ids.ts';
import { momentQuery } from '../../kernel/operations/moments.ts';
import {
  cursorQuery,
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { PersonShape } from '../administration/contract.ts';
import { MemberShape } from '../identity/contract.ts';
import { EarlierTexts, REPORT_STATUSES } from './contract.ts';

export const BlockShape = Type.Object(
  { userId: ObjectIdShape, user: MemberShape, blockedAt: DateTime },
  { $id: 'Block' },
);

export const BlockedOut = Type.Object({ userId: ObjectIdShape, blocked: Type.Boolean() });

export const ListBlocksQuery = Type.Object(momentQuery(['blockedAt', 'userId']));

export const MuteUserBody = Type.Object({
  minutes: Type.Integer({ minimum: 1, maximum: 525_600, examples: [60] }),
  deleteMessages: Type.Optional(
    Type.Boolean({ description: 'Whether their messages of the last seven days are deleted, too' }),
  ),
});

export const MuteOut = Type.Object({ userId: ObjectIdShape, mutedUntil: nullable(DateTime) });

const verdict = {
  outcome: oneOf(['dismissed', 'removed']),
  note: Type.Optional(readableText(500, { description: 'For other moderators', examples: ['Third time'] })),
};

export const ResolveReportBody = Type.Object(verdict);

export const ResolveReportsBody = Type.Object({ ids: bulkIds(bodyId('report')), ...verdict });

export const ResolvedReport = Type.Object(
  { id: ObjectIdShape, status: nullable(oneOf(REPORT_STATUSES)), ...bulkFailure },
  { $id: 'ResolvedReport' },
);

/** Number of reports that the overview of a user shows. */
export const SHOWN_REPORTS = 20;

const OverviewReport = Type.Object(
  {
    id: ObjectIdShape,
    kind: Type.String({ examples: ['announcement'] }),
    subjectId: ObjectIdShape,
    author: nullable(PersonShape),
    text: Type.String({ description: 'The text at the time of the report' }),
    reporter: nullable({ ...PersonShape, description: 'Null in reports of what you published' }),
    reason: Type.String({ examples: ['Spam'] }),
    status: oneOf(REPORT_STATUSES),
    createdAt: DateTime,
    resolvedAt: nullable(DateTime),
  },
  { $id: 'ReportOfUser' },
);

const NumberOfReports = Type.Object({
  total: Type.Integer({ description: `Counted up to ${MOST_COUNTED.toLocaleString('en')}`, examples: [32] }),
  totalIsExact: Type.Boolean({ description: 'False if there are more than were counted' }),
});

export const OverviewReports = Type.Object(
  {
    against: Type.Array(OverviewReport),
    by: Type.Array(OverviewReport),
    totals: Type.Object(
      { against: NumberOfReports, by: NumberOfReports },
      { description: 'How many there are, shown or not' },
    ),
  },
  { description: `Of what the user published, and by the user; at most ${SHOWN_REPORTS} each, newest first` },
);

export const OverviewMute = nullable(
  Type.Object(
    { until: { ...DateTime, description: 'When it ends by itself' } },
    { description: 'Of a user who is muted everywhere' },
  ),
);

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
      author: MemberShape,
      text: Type.String({ description: 'The text at the time of the report' }),
      earlierTexts: EarlierTexts,
      reportedBy: nullable({ ...ObjectIdShape, description: 'Null in reports of what you published' }),
      reporter: nullable(MemberShape),
      reason: Type.String({ examples: ['Spam'] }),
      status: oneOf(REPORT_STATUSES),
      createdAt: DateTime,
      resolvedAt: nullable(DateTime),
      resolvedBy: nullable(ObjectIdShape),
      note: nullable(Type.String({ description: 'What the moderator wrote about it' })),
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
    ...cursorQuery(),
    kind: Type.Optional(KindShape),
    status: Type.Optional(oneOf(REPORT_STATUSES)),
  });
  return { ReportShape, SentReport, ReportBody, ListReportsQuery };
}
