import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { insufficientPermissions, notFound, validationFailed } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { only } from '../../kernel/only.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { type Identity, memberOf, profileLookup } from '../identity/contract.ts';
import type { Livestream, LivestreamView } from './livestreams.model.ts';
import type { LivestreamFilter, LivestreamStore } from './livestreams.store.ts';

export const livestreamNotFound = notFound('Livestream');

/** Whether a caller sees livestreams of a host who may no longer hold them. */
const seesHidden = (hostId: ObjectId | undefined, caller: UserCaller): boolean =>
  hostId === caller.userId || holds(caller, 'moderator');

interface ViewingDeps {
  store: LivestreamStore;
  identity: Pick<Identity, 'profilesOf'>;
  clock: Clock;
}

/** Adds the hosts of livestreams, with one query for all. */
export async function withHosts(
  identity: Pick<Identity, 'profilesOf'>,
  streams: Livestream[],
): Promise<LivestreamView[]> {
  if (streams.length === 0) return [];
  const profileOf = await profileLookup(
    identity,
    streams.map(({ hostId }) => hostId),
  );
  return streams.map((stream) => ({ ...stream, host: memberOf(profileOf(stream.hostId)) }));
}

/** Who sees which livestreams, and who may change them. */
export function livestreamViewing({ store, identity, clock }: ViewingDeps) {
  const viewsOf = async (page: Page<Livestream>): Promise<Page<LivestreamView>> => ({
    ...page,
    items: await withHosts(identity, page.items),
  });

  async function findSeen(id: ObjectId, caller: UserCaller): Promise<Livestream | undefined> {
    const stream = await store.find(id);
    return stream && (stream.hostTeaches || seesHidden(stream.hostId, caller)) ? stream : undefined;
  }

  /** Returns a livestream that the caller may see. @throws livestreamNotFound */
  async function find(id: ObjectId, caller: UserCaller): Promise<Livestream> {
    const stream = await findSeen(id, caller);
    if (!stream) throw livestreamNotFound();
    return stream;
  }

  const shownTo = (caller: UserCaller, filter: LivestreamFilter) => ({
    ...filter,
    isShown: !seesHidden(filter.hostId, caller),
  });

  return {
    view: async (stream: Livestream): Promise<LivestreamView> => only(await withHosts(identity, [stream])),
    find,
    /** @throws livestreamNotFound, insufficientPermissions for another host's */
    async owned(id: ObjectId, caller: UserCaller): Promise<Livestream> {
      const stream = await find(id, caller);
      if (stream.hostId !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
      return stream;
    },
    /** Returns a livestream of the caller, or any for moderators. @throws livestreamNotFound, insufficientPermissions */
    async managed(id: ObjectId, caller: UserCaller): Promise<Livestream> {
      const stream = await find(id, caller);
      if (stream.hostId !== caller.userId && !holds(caller, 'moderator')) throw insufficientPermissions();
      return stream;
    },
    /** Returns the livestreams that a caller may see, newest first. */
    pageFor: async (
      filter: LivestreamFilter,
      caller: UserCaller,
      request: PageRequest,
    ): Promise<Page<LivestreamView>> => viewsOf(await store.pageOf(shownTo(caller, filter), request)),
    /**
     * Returns the livestreams that a caller may see, earliest planned start first.
     * @throws validationFailed for a `before` that is the id alone of no livestream which the caller may see
     */
    async soonestFor(
      filter: LivestreamFilter,
      caller: UserCaller,
      { before, ...request }: PageRequest,
    ): Promise<Page<LivestreamView>> {
      const last = before === undefined ? undefined : await findSeen(before, caller);
      if (before !== undefined && !last)
        throw validationFailed([{ field: 'before', message: 'must be the id of a livestream' }]);
      const after = last && { after: { at: last.scheduledStart, id: last.id } };
      return viewsOf(await store.soonestOf(shownTo(caller, filter), { ...request, ...after }));
    },
    onAir: async (request: PageRequest): Promise<Page<LivestreamView>> =>
      viewsOf(await store.pageOf({ status: 'live', isShown: true }, request)),
    inWindow: async (request: PageRequest): Promise<Page<LivestreamView>> =>
      viewsOf(await store.inWindow(clock.date(), request)),
  };
}

export type LivestreamViewing = ReturnType<typeof livestreamViewing>;
