import { lazy } from '../../kernel/concurrency/lazy.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import {
  type FieldFault,
  failure,
  insufficientPermissions,
  validationFailed,
} from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { only } from '../../kernel/only.ts';
import { holds } from '../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { type AsRead, mustBeAsRead, timeOfChange } from '../../kernel/operations/lost-updates.ts';
import { type Actor, changesNothing, changesOf } from '../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../kernel/records/idempotency.ts';
import { type Identity, notEducator } from '../identity/contract.ts';
import type { AfterCommit, Intervention, Moderation } from '../moderation/contract.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import { livestreamStarted } from './contract.ts';
import type { Endings } from './ending.ts';
import type { HostRules } from './hosts.ts';
import { sessionStarted } from './livestreams.live.ts';
import type { Livestream, LivestreamView } from './livestreams.model.ts';
import type { LivestreamStore } from './livestreams.store.ts';
import { livestreamNotFound, withHosts } from './viewing.ts';

export const notScheduled = failure(
  409,
  'LIVESTREAM_NOT_SCHEDULED',
  'The livestream has already started or is over',
);
export const notLive = failure(409, 'LIVESTREAM_NOT_LIVE', 'The livestream is not live');

/** Livestreams of a host that are to come or live: everybody lists them, and nobody plans more than a year ahead. */
const MAX_TO_COME = 500;

export const tooManyLivestreams = failure(
  409,
  'TOO_MANY_LIVESTREAMS',
  `An educator can have at most ${MAX_TO_COME} livestreams that are to come or live`,
);

/** A livestream after its start or end. Connected members are told unless the caller has exceeded the hourly limit. */
export interface StartedOrEnded {
  stream: Livestream;
  isAnnounced: boolean;
}

export type Draft = Pick<Livestream, 'title' | 'description' | 'hostId' | 'scheduledStart' | 'scheduledEnd'>;

/** The title of a livestream whose own was removed by moderators. */
export const REMOVED_TITLE = 'Removed by a moderator';

/** The notification of the host if somebody else made these changes. */
const interventionIn = (stream: Livestream, changes: Partial<Livestream>): Intervention => ({
  kind: 'livestream',
  subjectId: stream.id,
  authorId: stream.hostId,
  action: 'changed',
  name: stream.title,
  changes: changesOf(stream, changes),
});

/** @throws insufficientPermissions */
function mayNameHost(hostId: ObjectId, caller: UserCaller): void {
  if (hostId !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
}

/** Returns the livestream ended if it is live, and cancelled if it was still to come. */
function over(stream: Livestream, at: Date): Livestream {
  if (stream.status === 'live') return { ...stream, status: 'ended', endedAt: at };
  return stream.status === 'scheduled' ? { ...stream, status: 'cancelled' } : stream;
}

/** Returns what is wrong with the times of a livestream. */
export const timeFaults = ({
  scheduledStart,
  scheduledEnd,
}: Pick<Draft, 'scheduledStart' | 'scheduledEnd'>): FieldFault[] =>
  scheduledStart >= scheduledEnd ? [{ field: 'scheduledEnd', message: 'must be after scheduledStart' }] : [];

/** @throws 422 */
function mustHaveLength(draft: Draft): void {
  const faults = timeFaults(draft);
  if (faults.length > 0) throw validationFailed(faults);
}

interface LivestreamDeps extends Pick<Core, 'database' | 'events' | 'live' | 'clock' | 'newId'> {
  store: LivestreamStore;
  fanOut: FanOut;
  notifications: Pick<Notifications, 'withdrawIn'>;
  moderation: Pick<Moderation, 'blockersOf' | 'intervene' | 'maySpeak'>;
  hosts: Pick<HostRules, 'admit'>;
  endings: Pick<Endings, 'telling'>;
  identity: Pick<Identity, 'profilesOf'>;
}

/** Livestreams: created, started and ended by their host or an administrator. */
export function livestreamRules(deps: LivestreamDeps) {
  const { store, database, events, live, fanOut, notifications, moderation, hosts, endings } = deps;
  const { identity, clock, newId } = deps;
  const { intervene } = moderation;

  /** Changes a livestream under lock; `first` takes locks that come before it. @throws livestreamNotFound */
  const change = (
    id: ObjectId,
    work: (stream: Livestream, tx: Transaction) => Promise<Livestream>,
    first?: (tx: Transaction) => Promise<void>,
  ) =>
    database.transaction(async (tx) => {
      await first?.(tx);
      const stream = await store.lock(tx, id);
      if (!stream) throw livestreamNotFound();
      const wanted = await work(stream, tx);
      if (changesNothing(changesOf(stream, wanted))) return stream;
      const changed = { ...wanted, updatedAt: timeOfChange(clock, stream) };
      await store.update(tx, changed);
      return changed;
    });

  /**
   * Makes sure that a member may hold one more livestream, until the transaction ends.
   * @throws hostNotFound, notEducator, tooManyLivestreams
   */
  async function admitOneMore(tx: Transaction, hostId: ObjectId): Promise<void> {
    await hosts.admit(tx, hostId);
    if ((await store.countToCome(tx, hostId)) >= MAX_TO_COME) throw tooManyLivestreams();
  }

  return {
    /** @throws insufficientPermissions, hostNotFound, notEducator, tooManyLivestreams */
    async create(draft: Draft, caller: UserCaller, idempotency = notIdempotent): Promise<LivestreamView> {
      mustHaveLength(draft);
      mayNameHost(draft.hostId, caller);
      const at = clock.date();
      const stream: Livestream = {
        ...draft,
        id: newId(),
        hostTeaches: true,
        status: 'scheduled',
        startedAt: null,
        endedAt: null,
        createdAt: at,
        updatedAt: at,
      };
      const view = only(await withHosts(identity, [stream]));
      return database.transaction(async (tx) => {
        await moderation.maySpeak(caller, tx);
        await admitOneMore(tx, draft.hostId);
        await store.insert(tx, stream);
        return answered(tx, { idempotency }, view);
      });
    },
    /**
     * Changes a livestream that has not ended.
     * @throws livestreamNotFound, insufficientPermissions, hostNotFound, notEducator, notScheduled, changedMeanwhile
     */
    async update(
      id: ObjectId,
      { expectedUpdatedAt, ...changes }: Partial<Draft> & AsRead,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<Livestream> {
      const { hostId } = changes;
      if (hostId !== undefined) mayNameHost(hostId, caller);
      const work = async (stream: Livestream, tx: Transaction) => {
        if (stream.status === 'ended' || stream.status === 'cancelled') throw notScheduled();
        await moderation.maySpeak(caller, tx);
        const changed = { ...stream, ...changes, hostTeaches: hostId !== undefined || stream.hostTeaches };
        mustHaveLength(changed);
        if (!changesNothing(changesOf(stream, changed))) mustBeAsRead(stream, { expectedUpdatedAt });
        await intervene(tx, actorOf(caller, facts), interventionIn(stream, changes));
        return changed;
      };
      return change(id, work, hostId === undefined ? undefined : (tx) => hosts.admit(tx, hostId));
    },
    /**
     * Starts a livestream, before its time or late. Notifies all connected members and the subscribers of the sessions topic,
     * unless the caller has exceeded the hourly limit. @throws livestreamNotFound, notScheduled, notEducator, muted
     */
    async start(id: ObjectId, caller: UserCaller, facts: RequestFacts): Promise<StartedOrEnded> {
      const isAdmitted = lazy(() => fanOut.admits('livestreams', caller));
      let isAnnounced = false;
      const startedAt = clock.date();
      let blockers: ObjectId[] = [];
      const started = await change(id, async (stream, tx) => {
        if (stream.status !== 'scheduled') throw notScheduled();
        // An administrator sees it, but it would go live for a host who may not hold it.
        if (!stream.hostTeaches) throw notEducator();
        await moderation.maySpeak(caller, tx);
        isAnnounced = await isAdmitted();
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
    /** Ends a livestream, and tells everybody unless the caller has exceeded the hourly limit. @throws livestreamNotFound, notLive */
    async end(id: ObjectId, caller: UserCaller, facts: RequestFacts): Promise<StartedOrEnded> {
      let admission: Promise<boolean> | undefined;
      let tell: AfterCommit | undefined;
      const stream = await change(id, async (stream, tx) => {
        if (stream.status !== 'live') throw notLive();
        const { hostId } = stream;
        const endedAt = clock.date();
        await intervene(tx, actorOf(caller, facts), interventionIn(stream, { status: 'ended' }));
        // Counted once, however often the transaction is repeated.
        admission ??= fanOut.admitsChange('ended-livestreams', caller, hostId);
        tell = (await admission) ? await endings.telling(tx, { id, hostId, endedAt }) : undefined;
        return { ...stream, status: 'ended', endedAt };
      });
      await tell?.();
      return { stream, isAnnounced: tell !== undefined };
    },
    cancel: (id: ObjectId, actor: Actor): Promise<Livestream> =>
      change(id, async (stream, tx) => {
        if (stream.status !== 'scheduled') throw notScheduled();
        await intervene(tx, actor, interventionIn(stream, { status: 'cancelled' }));
        return { ...stream, status: 'cancelled' };
      }),
    /**
     * Ends or cancels a livestream because of a report, and replaces its texts; its host is not notified. Members see
     * what has been as well as what comes, so that ending alone would remove nothing.
     */
    async removeReportedIn(tx: Transaction, id: ObjectId): Promise<AfterCommit | undefined> {
      const stream = await store.lock(tx, id);
      if (!stream) return undefined;
      const at = clock.date();
      const texts = { title: REMOVED_TITLE, description: '', updatedAt: at };
      await store.update(tx, { ...over(stream, at), ...texts });
      const { startedAt: since } = stream;
      const about = { sessionId: id };
      if (since) await notifications.withdrawIn(tx, [{ of: livestreamStarted, about, since }]);
      return stream.status === 'live' ? endings.telling(tx, { ...stream, endedAt: at }) : undefined;
    },
  };
}

export type LivestreamRules = ReturnType<typeof livestreamRules>;
