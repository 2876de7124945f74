import { Type } from 'typebox';
import type { Queries } from '../../kernel/database/queries.ts';
import { eventKind } from '../../kernel/events.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { Page, PageRequest } from '../../kernel/pagination.ts';

/** What can be reported to the moderators. */
export const REPORT_KINDS = ['message', 'announcement', 'comment', 'story', 'post', 'post_comment'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const REPORT_STATUSES = ['open', 'dismissed', 'removed'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

/** Something that was reported, as it was then. */
interface ReportedThing {
  /** Who wrote or published it. */
  authorId: ObjectId;
  text: string;
  /** Where it stands, such as its chatroom. */
  containerId: ObjectId | null;
}

/** A report and what became of it. */
export interface Report extends ReportedThing {
  id: ObjectId;
  kind: ReportKind;
  subjectId: ObjectId;
  reportedBy: ObjectId;
  reason: string;
  status: ReportStatus;
  createdAt: Date;
  resolvedAt: Date | null;
  resolvedBy: ObjectId | null;
}

/** A kind of thing that members can report; modules contribute those that they keep. */
export interface Reportable {
  kind: ReportKind;
  /** Returns the thing as this member sees it. @throws 403, 404 where they do not */
  find(subjectId: ObjectId, reporter: UserCaller): Promise<ReportedThing>;
  /** Removes the thing; one that is gone already is no fault. */
  remove(subjectId: ObjectId, moderator: UserCaller): Promise<void>;
}

/** A member who blocked another, or may have. */
export interface BlockPair {
  blockerId: ObjectId;
  blockedId: ObjectId;
}

export interface Moderation {
  /** Passes where this member did not block that one. @throws blocked */
  mayApproach(whom: ObjectId, userId: ObjectId): Promise<void>;
  /** Returns those of these pairs of members in which the one blocked the other. */
  blocksAmong(pairs: BlockPair[], queries?: Queries): Promise<BlockPair[]>;
  /** Puts a thing on the worklist. @throws alreadyReported, and what {@link Reportable.find} throws */
  report(kind: ReportKind, subjectId: ObjectId, reason: string, reporter: UserCaller): Promise<Report>;
  /** @throws reportNotFound */
  find(id: ObjectId): Promise<Report>;
  pageOf(filter: { kind?: ReportKind; status?: ReportStatus }, request: PageRequest): Promise<Page<Report>>;
  /** Dismisses the report or removes the thing; all open reports of it are resolved alike. @throws alreadyResolved */
  resolve(id: ObjectId, outcome: 'dismissed' | 'removed', moderator: UserCaller): Promise<Report>;
}

export const blocked = failure(403, 'BLOCKED', 'This member has blocked you');
export const alreadyReported = failure(409, 'ALREADY_REPORTED', 'You have reported this already');
export const alreadyResolved = failure(409, 'ALREADY_RESOLVED', 'The report is resolved');
export const reportNotFound = failure(404, 'NOT_FOUND', 'Report not found');

/** A member blocked another one; published in the transaction of the block. */
export const memberBlocked = eventKind('moderation.member-blocked', {
  version: 1,
  data: Type.Object({ blockerId: ObjectIdShape, blockedId: ObjectIdShape }),
});
