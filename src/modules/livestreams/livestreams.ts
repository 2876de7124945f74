import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { failure, insufficientPermissions, notFound, validationFailed } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { holds } from '../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { type Actor, changesOf } from '../../kernel/records/audit.ts';
import { notEducator } from '../identity/contract.ts';
import type { Intervention, Moderation } from '../moderation/contract.ts';
import type { FanOut } from '../notifications/contract.ts';
import { livestreamStarted } from './contract.ts';
import { sessionStarted } from './livestreams.live.ts';
import type { Livestream } from './livestreams.model.ts';
import type { LivestreamStore } from './livestreams.store.ts';

export const livestreamNotFound = notFound('Livestream');
export const hostNotFound = notFound('Educator');
export const notScheduled = failure(
  409,
  'LIVESTREAM_NOT_SCHEDULED',
  'The livestream has already started or is over',
);
export const notLive = failure(409, 'LIVESTREAM_NOT_LIVE', 'The livestream is not live');

export type Draft = Pick<Livestream, 'title' | 'description' | 'hostId' | 'scheduledStart' | 'scheduledEnd'>;

/** The notification of the host if somebody else made these changes. */
const interventionIn = (stream: Livestream, changes: Partial<Livestream>): Intervention => ({
  kind: 'livestream',
  subjectId: stream.id,
  authorId: stream.hostId,
  action: 'changed',
  name: stream.title,
  changes: changesOf(stream, changes),
});

interface LivestreamDeps extends Pick<Core, 'database' | 'events' | 'live' | 'clock' | 'newId'> {
  store: LivestreamStore;
  fanOut: FanOut;
  moderation: Pick<Moderation, 'blockersOf' | 'intervene'>;
  /** Returns a user's permissions; undefined if the user does not exist. */
  permissionsOf: (userId: ObjectId) => Promise<string[] | undefined>;
}

/** Livestreams: created, started and ended by their host or an administrator. */
export function livestreamRules({
  store,
  database,
  events,
  live,
  fanOut,
  moderation,
  permissionsOf,
  clock,
  newId,
}: LivestreamDeps) {
  const now = () => new Date(clock.now());
  const { intervene } = moderation;

  /** @throws livestreamNotFound */
  async function find(id: ObjectId): Promise<Livestream> {
    const stream = await store.find(id);
    if (!stream) throw livestreamNotFound();
    return stream;
  }

  /** @throws insufficientPermissions, hostNotFound, notEducator */
  async function mayBeHost(hostId: ObjectId, caller: UserCaller): Promise<void> {
    if (hostId !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
    const permissions = await permissionsOf(hostId);
    if (!permissions) throw hostNotFound();
    if (!permissions.some((one) => one === 'educator' || one === 'admin')) throw notEducator();
  }

  function mustHaveLength({ scheduledStart, scheduledEnd }: Draft): void {
    if (scheduledStart >= scheduledEnd)
      throw validationFailed([{ field: 'scheduledEnd', message: 'must be after scheduledStart' }]);
  }

  /** Changes a livestream under lock. @throws livestreamNotFound */
  const change = (id: ObjectId, work: (stream: Livestream, tx: Transaction) => Promise<Livestream>) =>
    database.transaction(async (tx) => {
      const stream = await store.lock(tx, id);
      if (!stream) throw livestreamNotFound();
      const changed = { ...(await work(stream, tx)), updatedAt: now() };
      await store.update(tx, changed);
      return changed;
    });

  return {
    find,
    /** @throws livestreamNotFound, insufficientPermissions for another host's */
    async owned(id: ObjectId, caller: UserCaller): Promise<Livestream> {
      const stream = await find(id);
      if (stream.hostId !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
      return stream;
    },
    /** Returns a livestream of the caller, or any for moderators. @throws livestreamNotFound, insufficientPermissions */
    async managed(id: ObjectId, caller: UserCaller): Promise<Livestream> {
      const stream = await find(id);
      if (stream.hostId !== caller.userId && !holds(caller, 'moderator')) throw insufficientPermissions();
      return stream;
    },
    async create(draft: Draft, caller: UserCaller): Promise<Livestream> {
      mustHaveLength(draft);
      await mayBeHost(draft.hostId, caller);
      const at = now();
      const stream: Livestream = {
        ...draft,
        id: newId(),
        status: 'scheduled',
        startedAt: null,
        endedAt: null,
        createdAt: at,
        updatedAt: at,
      };
      await store.insert(database, stream);
      return stream;
    },
    /**
     * Changes a livestream that has not ended.
     * @throws livestreamNotFound, notScheduled
     */
    async update(
      id: ObjectId,
      changes: Partial<Draft>,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<Livestream> {
      if (changes.hostId !== undefined) await mayBeHost(changes.hostId, caller);
      return change(id, async (stream, tx) => {
        if (stream.status === 'ended' || stream.status === 'cancelled') throw notScheduled();
        const changed = { ...stream, ...changes };
        mustHaveLength(changed);
        await intervene(tx, actorOf(caller, facts), interventionIn(stream, changes));
        return changed;
      });
    },
    /**
     * Starts a livestream. Notifies all connected members and the subscribers of the sessions topic, unless the caller
     * has exceeded the hourly limit of announcements.
     */
    async start(
      id: ObjectId,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<{ stream: Livestream; isAnnounced: boolean }> {
      const isAnnounced = await fanOut.admits('livestreams', caller);
      const startedAt = now();
      let blockers: ObjectId[] = [];
      const started = await change(id, async (stream, tx) => {
        if (stream.status !== 'scheduled') throw notScheduled();
        const { hostId } = stream;
        const data = {
          livestreamId: id,
          hostId,
          startedAt: startedAt.toISOString(),
          isQuiet: !isAnnounced,
        };
        await events.publish(tx, livestreamStarted, data);
        await intervene(tx, actorOf(caller, facts), interventionIn(stream, { status: 'live' }));
        blockers = await moderation.blockersOf(hostId, tx);
        return { ...stream, status: 'live' as const, startedAt };
      });
      const { title, hostId: speakerId } = started;
      const data = { sessionId: id, title, speakerId, startedAt };
      if (isAnnounced) await live.send(liveChannel.all, [sessionStarted(data)], blockers);
      return { stream: started, isAnnounced };
    },
    end: (id: ObjectId, actor: Actor): Promise<Livestream> =>
      change(id, async (stream, tx) => {
        if (stream.status !== 'live') throw notLive();
        await intervene(tx, actor, interventionIn(stream, { status: 'ended' }));
        return { ...stream, status: 'ended', endedAt: now() };
      }),
    cancel: (id: ObjectId, actor: Actor): Promise<Livestream> =>
      change(id, async (stream, tx) => {
        if (stream.status !== 'scheduled') throw notScheduled();
        await intervene(tx, actor, interventionIn(stream, { status: 'cancelled' }));
        return { ...stream, status: 'cancelled' };
      }),
    /** Ends the live streams of a deleted host and cancels the scheduled ones. */
    closeOf: (tx: Transaction, hostId: ObjectId): Promise<void> => store.closeOf(tx, hostId, now()),
    pageOf: store.pageOf,
    inWindow: (request: Parameters<LivestreamStore['inWindow']>[1]) => store.inWindow(now(), request),
  };
}

export type LivestreamRules = ReturnType<typeof livestreamRules>;
