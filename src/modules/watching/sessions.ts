import { batching } from '../../kernel/concurrency/batching.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { failure, notFound, serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { job, jobKind } from '../../kernel/messaging/jobs.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { answered, notIdempotent } from '../../kernel/records/idempotency.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import type { Identity } from '../identity/contract.ts';
import type { Watchable } from './contract.ts';
import type { Beat, WatchSession } from './sessions.model.ts';
import type { SessionDraft } from './sessions.schemas.ts';
import type { SessionStore } from './sessions.store.ts';

export const sessionNotFound = notFound('Watch session');
export const sessionEnded = failure(409, 'WATCH_SESSION_ENDED', 'The watch session has ended');

/** A session that is silent for longer has ended at its last heartbeat. */
export const SILENCE_MS = 60 * SECOND_MS;
/** Maximum length of a session; a longer one is implausible and ends. */
const MAX_SESSION_MS = DAY_MS;
/** Maximum number of open sessions of one member; another one ends the oldest. */
export const MAX_OPEN_SESSIONS = 5;

/**
 * How often an open session is checked. This need not be fast: a silent session counts up to its last heartbeat whether
 * or not it is marked as ended.
 */
const CHECK_MS = 5 * MINUTE_MS;
const CHECK_AT_ONCE = 2_000;
const endSilent = jobKind('watching.end-silent-sessions');

interface SessionDeps extends Pick<Core, 'database' | 'clock' | 'newId'> {
  store: SessionStore;
  identity: Pick<Identity, 'cardsOf'>;
  watchables: Watchable[];
}

/** Watch sessions: started, prolonged by heartbeats, and ended by their member or by silence. */
export function sessionRules({ store, identity, watchables, database, clock, newId }: SessionDeps) {
  const before = (ms: number): Date => new Date(clock.now() - ms);

  // Every open session sends a heartbeat each half minute; concurrent ones are batched into one statement.
  const beat = batching<Beat, WatchSession | undefined>(
    async (beats) => {
      const prolonged = await store.beat(beats, clock.date(), before(SILENCE_MS), before(MAX_SESSION_MS));
      const byId = new Map(prolonged.map((session) => [session.id, session]));
      return beats.map(({ id }) => byId.get(id));
    },
    { maxSize: 500, concurrency: 1, maxQueued: 20_000, onOverflow: serviceUnavailable },
  );

  const endIfOpen = (id: ObjectId) => store.end(id, clock.date(), before(SILENCE_MS), before(MAX_SESSION_MS));

  /** Returns the educator of the content where the platform knows it, and otherwise whom the client names. */
  async function educatorOf(
    tx: Transaction,
    { contentType, contentId, educatorId: named = null }: SessionDraft,
  ): Promise<ObjectId | null> {
    const watchable = watchables.find((one) => one.contentType === contentType);
    return taughtBy(tx, (await watchable?.educatorOf(contentId, tx)) ?? named);
  }

  /**
   * Returns the member if they are an educator, and null otherwise. Invented ones would fill the leaderboard, and the
   * platform refuses no session because somebody has just stopped teaching.
   */
  async function taughtBy(tx: Transaction, educatorId: ObjectId | null): Promise<ObjectId | null> {
    if (educatorId === null) return null;
    const [card] = await identity.cardsOf([educatorId], tx);
    return card?.isActive && card.permissions.includes('educator') ? educatorId : null;
  }

  const sweep = job(endSilent, {
    cron: '* * * * *',
    atStart: true,
    concurrency: 1,
    run: async (_data, { signal }) => {
      for (let looked = CHECK_AT_ONCE; looked === CHECK_AT_ONCE && !signal.aborted; ) {
        const at = clock.date();
        const nextAt = new Date(at.getTime() + CHECK_MS);
        const due = { at, seenSince: before(SILENCE_MS), nextAt, limit: CHECK_AT_ONCE };
        looked = await database.transaction((tx) => store.check(tx, due));
      }
    },
  });

  return {
    jobs: [sweep],

    /**
     * Starts a session, for the educator of the content; ends the member's oldest one if there are too many.
     */
    async start(
      draft: SessionDraft,
      { userId }: UserCaller,
      idempotency = notIdempotent,
    ): Promise<Pick<WatchSession, 'id' | 'startedAt'>> {
      const startedAt = clock.date();
      const checkAt = new Date(startedAt.getTime() + CHECK_MS);
      const session = { ...draft, id: newId(), userId, startedAt, checkAt };
      return database.transaction(async (tx) => {
        const educatorId = await educatorOf(tx, draft);
        await tx.lock('watching.member', userId);
        await store.insert(tx, { ...session, educatorId });
        await store.endOldest(tx, userId, MAX_OPEN_SESSIONS);
        return answered(tx, { idempotency }, { id: session.id, startedAt });
      });
    },

    /** @throws sessionNotFound, also for a session of another member */
    async owned(id: ObjectId, { userId }: UserCaller): Promise<WatchSession> {
      const session = await store.find(id);
      if (session?.userId !== userId) throw sessionNotFound();
      return session;
    },

    /** @throws sessionEnded, also for a silent session */
    async heartbeat({ id }: WatchSession, positionSeconds: number | undefined): Promise<WatchSession> {
      const session = await beat({ id, positionSeconds: positionSeconds ?? null });
      if (session) return session;
      await endIfOpen(id);
      throw sessionEnded();
    },

    /** Ends the session; has no effect on one that has ended. */
    async end(session: WatchSession): Promise<WatchSession> {
      return (await endIfOpen(session.id)) ?? (await store.find(session.id)) ?? session;
    },
  };
}

export type SessionRules = ReturnType<typeof sessionRules>;
