import { Type } from 'typebox';
import { membersQuery } from '../../kernel/operations/ids.ts';
import { ok } from '../../kernel/operations/operation.ts';
import {
  confidential,
  cursorQuery,
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';
import { REPORT_STATUSES } from '../moderation/contract.ts';

const Subject = { chatroomId: ObjectIdShape, userId: ObjectIdShape };

export const MutedOut = ok(Type.Object({ ...Subject, mutedUntil: nullable(DateTime) }), { message: 'Done' });

export const BannedOut = ok(Type.Object({ ...Subject, banned: Type.Boolean() }), { message: 'Done' });

export const RestrictionShape = Type.Object(
  { userId: ObjectIdShape, user: MemberShape, mutedUntil: nullable(DateTime), bannedAt: nullable(DateTime) },
  { $id: 'ChatroomRestriction' },
);

export const ListChatRestrictionsQuery = Type.Object(membersQuery());

export const MuteChatMemberBody = Type.Object({
  minutes: Type.Integer({ minimum: 1, maximum: 525_600, examples: [60] }),
});

export const ReportChatMessageBody = Type.Object({
  reason: confidential(readableText(500, { examples: ['Spam'] })),
});

export const ListChatReportsQuery = Type.Object({
  ...cursorQuery(),
  status: Type.Optional(oneOf(REPORT_STATUSES)),
});

export const ResolveChatReportBody = Type.Object({ outcome: oneOf(['dismissed', 'removed']) });
