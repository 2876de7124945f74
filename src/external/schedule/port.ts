import type { ObjectId } from '../../kernel/ids.ts';

/** A session as the schedule's owner has it. */
export interface ScheduledSession {
  /** Theirs, of whatever form. */
  id: string;
  title: string;
  description: string;
  educatorId: ObjectId;
  educatorName: string;
  startsAt: Date;
  endsAt: Date;
}

/** Who owns the schedule. */
export interface ScheduleUpstream {
  /**
   * Those that begin within a stretch of time, the end excluded.
   * @throws when it can't be reached or makes no sense
   */
  between(from: Date, to: Date): Promise<ScheduledSession[]>;
}
