import { Type } from 'typebox';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { type Failure, type FailureMaker, failure, tooManyRequests } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import type { RequestFacts, UserCaller } from '../../kernel/operations/callers.ts';
import { ObjectIdShape, WrittenDateTime } from '../../kernel/operations/shapes.ts';
import type { Actor, Changes } from '../../kernel/records/audit.ts';
import type { Answering } from '../../kernel/records/idempotency.ts';

export const REPORT_STATUSES = ['open', 'dismissed', 'removed'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

/** What content said until it was edited, at an instant in ISO 8601. */
export interface EarlierText {
  text: string;
  until: string;
}

export const EarlierTexts = Type.Array(Type.Object({ text: Type.String(), until: WrittenDateTime }), {
  description:
    'What it said before it was edited, oldest first, as far as that is kept; in lists the beginnings, in the context of the report all of it',
});

/** The reported content at the time of the report. */
interface ReportedContent {
  /** Its author or publisher. */
  authorId: ObjectId;
  text: string;
  /** The container that it belongs to, such as its chatroom. */
  containerId: ObjectId | null;
}

/** A report and its outcome. */
export interface Report extends ReportedContent {
  /** Oldest first. */
  earlierTexts: EarlierText[];
  id: ObjectId;
  kind: string;
  subjectId: ObjectId;
  reportedBy: ObjectId;
  reason: string;
  status: ReportStatus;
  createdAt: Date;
  resolvedAt: Date | null;
  resolvedBy: ObjectId | null;
  /** For other moderators. */
  note: string | null;
}

/** The decision of a moderator about a report. */
export interface Verdict {
  outcome: 'dismissed' | 'removed';
  note?: string;
}

/** A report in the form that a moderator sees: authors, including moderators, do not learn who reported them. */
export type SeenReport = Omit<Report, 'reportedBy'> & { reportedBy: ObjectId | null };

/** What follows a removal that has been committed. */
export type AfterCommit = () => Promise<unknown>;

/** What something stands in that was reported, such as its chatroom or the post that it comments on. */
export interface Place {
  /** What it is, in the words of the API: `chatroom`, `post`. */
  kind: string;
  id: ObjectId;
  /** Its name or title; that of its community for a post. */
  name: string;
  /** Its text, or its description. */
  text: string;
  authorId: ObjectId;
  /** The type of a chatroom. */
  type?: string;
}

/** What was reported, or one of its neighbours. */
export interface Surrounding {
  id: ObjectId;
  userId: ObjectId;
  /** Null once it is deleted. */
  text: string | null;
  createdAt: Date;
  editedAt: Date | null;
  deletedAt: Date | null;
}

/** What stands around an item that was reported. */
export interface Surroundings {
  /** Null if it is gone. */
  place: Place | null;
  /** The item, if it still exists, among its neighbours, in the order in which they were written. */
  entries: Surrounding[];
  /** Whether only their office lets the moderator read it, as in a private room; the audit log then has it. */
  isClosed?: boolean;
}

/** A reportable type of content; contributed by the module that owns it. */
export interface Reportable {
  /** The name of the type in the API: `post`. */
  kind: string;
  /** The failures of `find`, other than those that every report may have. */
  failures?: FailureMaker[];
  /** Whether what stands in the content stays when it is removed, so that the reports of it stay open. */
  keepsContents?: boolean;
  /**
   * Returns the content as visible to this member, and what it said before, oldest first, where that is kept.
   * @throws 403, 404 if they may not see it
   */
  find(
    subjectId: ObjectId,
    reporter: UserCaller,
  ): Promise<ReportedContent & { earlierTexts?: { text: string; until: Date }[] }>;
  /**
   * Removes the content in the transaction of the decision; what no longer exists is left, or is 404.
   * @returns what to do once that is committed, such as telling a chatroom
   */
  remove(tx: Transaction, subjectId: ObjectId, moderator: UserCaller): Promise<AfterCommit | undefined>;
  /**
   * Returns what `find` returns as text once the content is removed, where something of it stays, such as a neutral title: that
   * is decided, and cannot be reported again. Undefined if nothing does.
   */
  textLeft?(tx: Transaction, subjectId: ObjectId): Promise<string | undefined>;
  /** Returns what stands around the content of a container, at most `sides` neighbours before and as many after it. */
  around?(
    item: { subjectId: ObjectId; containerId: ObjectId },
    moderator: UserCaller,
    sides: number,
  ): Promise<Surroundings>;
}

/** An action of an administrator or moderator on content that a member owns. */
export interface Intervention {
  /** The kind of content, in the audit log and, with spaces, in a sentence: `post`, `announcement-comment`. */
  kind: string;
  subjectId: ObjectId;
  /** The owner, who is notified. */
  authorId: ObjectId;
  action: 'changed' | 'removed';
  /** What the audit log calls it where that says more than `action`: `member-added`. */
  recordedAs?: string;
  /** The title of the content, for the audit log. */
  name?: string;
  changes?: Changes;
  /** More for the audit log. */
  details?: Record<string, unknown>;
}

/** Content that is removed, and the containers that go with what stands in them, such as the comments on a post. */
export interface RemovedContent {
  kind: string;
  subjectIds: ObjectId[];
  containerIds?: ObjectId[];
}

/** Two members, the first of whom may have blocked the second. */
export interface BlockPair {
  blockerId: ObjectId;
  blockedId: ObjectId;
}

/** Maximum number of members that a broadcast excludes; their ids are sent with it. */
export const MAX_BLOCKERS = 5_000;

export interface Moderation {
  /**
   * Records an intervention in a member's record in the audit log, and has the member notified with the reason. Does
   * nothing if the actor is the owner, or if its `changes` are none.
   */
  intervene(tx: Transaction, actor: Actor, intervention: Intervention): Promise<void>;
  /**
   * Closes the open reports of content that a moderator removes without a verdict, as the verdict would; not those of what
   * the moderator wrote, or has an open report of. Those that are being made meanwhile close a minute later. Call it before the
   * transaction locks the content, as verdicts do.
   */
  closeReports(tx: Transaction, content: RemovedContent, actor: Actor): Promise<void>;
  /** Checks that a member is not muted everywhere. @throws muted */
  maySpeak(caller: UserCaller, queries?: Queries): Promise<void>;
  /** Returns, for those of these members who are muted everywhere, until when they are. */
  mutedAmong(userIds: ObjectId[], queries?: Queries): Promise<Map<ObjectId, Date>>;
  /** Checks that one member has not blocked the other. @throws blocked */
  mayApproach(whom: ObjectId, userId: ObjectId, tx?: Queries): Promise<void>;
  /**
   * Checks that none of these members has blocked another one; new blocks among them wait until the transaction ends.
   * Call it before the transaction locks anything that blocking also locks.
   * @throws blocked
   */
  mayApproachIn(tx: Transaction, whom: ObjectId[], userId: ObjectId): Promise<void>;
  /**
   * Returns the members who have blocked this one, at most {@link MAX_BLOCKERS}, earliest first, who must not receive
   * broadcasts of this member's actions. Call it in the transaction of the action, so that nothing can fail after the
   * commit.
   */
  blockersOf(userId: ObjectId, tx: Transaction): Promise<ObjectId[]>;
  /** Returns the members whom this one has blocked, and those who have blocked this one. */
  partedFrom(userId: ObjectId): Promise<ObjectId[]>;
  /**
   * Returns the same of each of these members; who is parted from nobody is left out. More than {@link MAX_BLOCKERS} are too
   * many to be excluded from a broadcast, and are not all returned.
   */
  partedFromEach(userIds: ObjectId[]): Promise<Map<ObjectId, ObjectId[]>>;
  /** Returns those of these members who are parted from more than {@link MAX_BLOCKERS} others. */
  partedFromTooMany(userIds: ObjectId[]): Promise<ObjectId[]>;
  /** Returns the pairs in which the first member has blocked the second. */
  blocksAmong(pairs: BlockPair[], queries?: Queries): Promise<BlockPair[]>;
  /**
   * Reports content to the worklist.
   * @throws alreadyReported, alreadyRemoved, tooManyReports, and the failures of {@link Reportable.find}
   */
  report(
    item: Pick<Report, 'kind' | 'subjectId' | 'reason'>,
    reporter: UserCaller,
    answering?: Answering<Report>,
  ): Promise<Report>;
  /** @throws reportNotFound */
  find(id: ObjectId): Promise<Report>;
  /** Returns reports in the form that a moderator sees. */
  pageOf(
    filter: { kind?: string; status?: ReportStatus },
    request: PageRequest,
    moderator: UserCaller,
  ): Promise<Page<SeenReport>>;
  /**
   * Dismisses the report or removes the content, and resolves all open reports of the content alike.
   * @throws alreadyResolved, ownReport for the author and the reporters of the content
   */
  resolve(id: ObjectId, verdict: Verdict, moderator: UserCaller, facts: RequestFacts): Promise<Report>;
}

const MUTED = [403, 'MUTED', 'You are muted'] as const;
export const muted = failure(...MUTED);
/** The same, saying when it ends. */
export const mutedTill = (mutedUntil: Date): Failure => failure(...MUTED, { mutedUntil })();
export const blocked = failure(403, 'BLOCKED', 'This member has blocked you');
export const youBlocked = failure(409, 'YOU_BLOCKED', 'You have blocked this member; unblock them first');
export const alreadyReported = failure(409, 'ALREADY_REPORTED', 'You have already reported this');
export const alreadyRemoved = failure(
  409,
  'ALREADY_REMOVED',
  'Moderators have removed this, and it has not been changed since',
);
export const tooManyReports = (retryAfterSeconds: number): Failure =>
  tooManyRequests('REPORT_LIMIT_EXCEEDED', retryAfterSeconds);
export const alreadyResolved = failure(409, 'ALREADY_RESOLVED', 'The report is already resolved');
export const ownReport = failure(
  403,
  'OWN_REPORT',
  'You wrote or reported this yourself; another moderator must resolve it',
);
export const reportNotFound = failure(404, 'NOT_FOUND', 'Report not found');

/** A member blocked another; published in the transaction of the block. */
export const memberBlocked = eventKind('moderation.member-blocked', {
  version: 1,
  data: Type.Object({ blockerId: ObjectIdShape, blockedId: ObjectIdShape }),
});

/** A member reported content. */
export const contentReported = eventKind('moderation.content-reported', {
  version: 1,
  data: Type.Object({
    reportId: ObjectIdShape,
    kind: Type.String(),
    subjectId: ObjectIdShape,
    authorId: ObjectIdShape,
  }),
});

/** An administrator or moderator changed or removed a member's record. */
export const memberContentModerated = eventKind('moderation.member-content-moderated', {
  version: 1,
  data: Type.Object({ interventionId: ObjectIdShape, authorId: ObjectIdShape }),
});

/** A member was muted everywhere. */
export const memberMuted = eventKind('moderation.member-muted', {
  version: 1,
  data: Type.Object({
    userId: ObjectIdShape,
    by: Type.String(),
    deletesMessages: Type.Boolean({ description: 'Whether their latest messages are to be deleted' }),
  }),
});

declare module '../module.ts' {
  interface Contributions {
    /** Content that members can report to the moderators. */
    reportables?: Reportable[];
  }
}
