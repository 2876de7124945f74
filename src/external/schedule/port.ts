import type { ObjectId } from '../../kernel/ids.ts';

/** A session in the upstream schedule. */
export interface ScheduledSession {
  /** The upstream's id, in any format. */
  id: string;
  title: string;
  description: string;
  educatorId: ObjectId;
  educatorName: string;
  startsAt: Date;
  endsAt: Date;
}

/** The upstream system that owns the schedule. */
export interface ScheduleUpstream {
  /**
   * Returns the sessions that begin in the period, whose end is exclusive, each id once. Their texts can be stored.
   * @throws when the upstream is unreachable or responds invalidly
   */
  between(from: Date, to: Date): Promise<ScheduledSession[]>;
}
