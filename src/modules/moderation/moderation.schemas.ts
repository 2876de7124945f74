import { Type } from 'typebox';
import { MOST_COUNTED } from '../../kernel/database/pagination.ts';
import { bulkFailure, bulkIds } from '../../kernel/operations/bulk.ts';
import { bodyId } from '../../kernel/operations/ids.ts';
import { momentQuery } from '../../kernel/operations/moments.ts';
import {
  confidential,
  cursorQuery,
  DateTime,
  InstantText,
  nullable,
  ObjectIdShape,
  oneOf,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { PersonShape } from '../administration/contract.ts';
import { MemberShape } from '../identity/contract.ts';
import { EarlierTexts, REPORT_STATUSES } from './contract.ts';
import { MOST_REPORTS_OF_ITEM, SHOWN_EARLIER, SHOWN_NEIGHBOURS } from './reports.model.ts';

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
  expectedMutedUntil: Type.Optional(
    nullable({
      ...InstantText,
      description: 'The `mutedUntil` that you saw, to replace no other: 409 `CHANGED_MEANWHILE`',
    }),
  ),
});

export const MuteOut = Type.Object({ userId: ObjectIdShape, mutedUntil: nullable(DateTime) });
export const UnmuteOut = Type.Object({
  ...MuteOut.properties,
  wasMutedUntil: nullable({
    ...DateTime,
    description: 'Until when they would have been muted; null if they were not',
  }),
});

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

const Place = Type.Object({
  kind: Type.String({ examples: ['chatroom'] }),
  id: ObjectIdShape,
  name: Type.String({
    description: 'Its name or title; of a post that of its community',
    examples: ['Gold'],
  }),
  text: Type.String({ description: 'Its text or description', examples: ['All about gold'] }),
  type: nullable(Type.String({ description: 'The type of a chatroom', examples: ['private'] })),
  author: MemberShape,
});

const Neighbour = Type.Object({
  id: ObjectIdShape,
  userId: ObjectIdShape,
  user: MemberShape,
  text: nullable(Type.String({ description: 'Null once it is deleted', examples: ['Why do you say so?'] })),
  createdAt: DateTime,
  editedAt: nullable(DateTime),
  deletedAt: nullable(DateTime),
});

export const ReportContext = Type.Object(
  {
    place: nullable({
      ...Place,
      description: 'What it stands in: a chatroom, community, post or announcement; null if that is gone',
    }),
    entries: Type.Array(Neighbour, {
      description: `The item, whose \`id\` is \`subjectId\`, unless it is gone, and up to ${SHOWN_NEIGHBOURS} before and after it, oldest first`,
    }),
    earlierTexts: EarlierTexts,
  },
  { $id: 'ReportContext' },
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

const reportedBy = nullable({ ...ObjectIdShape, description: 'Null in reports of what you published' });
const reporter = nullable(MemberShape);
const reason = Type.String({ examples: ['Spam'] });

/** How often and why an item was reported, besides the newest report. */
const reportsOfItem = {
  reportCount: Type.Integer({
    description: `How many reports of the item have this status, counted up to ${MOST_REPORTS_OF_ITEM.toLocaleString('en')}`,
    examples: [3],
  }),
  earlier: Type.Array(
    Type.Object({
      id: ObjectIdShape,
      reportedBy,
      reporter,
      reason,
      text: nullable(
        Type.String({
          description: 'The text at the time of this report; null if the newest one has the same',
          examples: ['Buy!'],
        }),
      ),
      createdAt: DateTime,
    }),
    {
      description: `Its reports of this status before the newest one, newest first; at most ${SHOWN_EARLIER}`,
    },
  ),
};

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
      reportedBy,
      reporter,
      reason,
      status: oneOf(REPORT_STATUSES),
      createdAt: DateTime,
      resolvedAt: nullable(DateTime),
      resolvedBy: nullable(ObjectIdShape),
      resolver: { ...reporter, description: 'Who resolved it' },
      note: nullable(Type.String({ description: 'What the moderator wrote about it' })),
    },
    { $id: 'Report' },
  );
  const ReportedItem = Type.Object({ ...ReportShape.properties, ...reportsOfItem }, { $id: 'ReportedItem' });
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
    reason: confidential(readableText(500, { examples: ['Spam'] })),
  });
  const ListReportsQuery = Type.Object({
    ...cursorQuery(),
    kind: Type.Optional(KindShape),
    status: Type.Optional(oneOf(REPORT_STATUSES)),
  });
  return { ReportShape, ReportedItem, SentReport, ReportBody, ListReportsQuery };
}
