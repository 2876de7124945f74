import { Type } from 'typebox';
import { lazy } from '../../../kernel/concurrency/lazy.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { type FieldFault, insufficientPermissions, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { job, jobKind } from '../../../kernel/messaging/jobs.ts';
import { only } from '../../../kernel/only.ts';
import { holds } from '../../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import { mustBeAsRead, timeOfChange } from '../../../kernel/operations/lost-updates.ts';
import type { RightParts } from '../../../kernel/operations/right-parts.ts';
import { ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import { type Actor, changesNothing, changesOf } from '../../../kernel/records/audit.ts';
import { answered, type RecordedAnswer } from '../../../kernel/records/idempotency.ts';
import type { Media } from '../../media/contract.ts';
import type { Moderation } from '../../moderation/contract.ts';
import type { FanOut, Notifications } from '../../notifications/contract.ts';
import { announcementChanged, announcementCommented, announcementPublished } from '../contract.ts';
import type { Educator } from '../educators.model.ts';
import type { EducatorStore } from '../educators.store.ts';
import { announcementNotFound, tooManyPinned } from '../failures.ts';
import { type Announcement, NEW_ANNOUNCEMENT } from './announcements.model.ts';
import type { AnnouncementChanges, AnnouncementDraft, AnnouncementView } from './announcements.schemas.ts';
import type { AnnouncementStore } from './announcements.store.ts';
import type { AnnouncementViews } from './announcements.views.ts';

export const MAX_PINNED = 10;
const ERASED_AT_ONCE = 50;
const forgetAnnouncement = jobKind('educators.forget-announcement', {
  version: 1,
  data: Type.Object({ announcementId: ObjectIdShape }),
});
const FORGOTTEN_AT_ONCE = 5_000;

interface AnnouncementDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'clock' | 'newId'> {
  store: AnnouncementStore;
  views: Pick<AnnouncementViews, 'viewsOf'>;
  educators: Pick<EducatorStore, 'keepVisibility'>;
  media: Pick<Media, 'checkPublicUrls' | 'isOwnUrl'>;
  fanOut: FanOut;
  moderation: Pick<Moderation, 'maySpeak' | 'intervene' | 'closeReports'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/** A new announcement, and whether nobody is notified of it, since the educator has exceeded the hourly limit. */
export interface PublishedAnnouncement {
  announcement: AnnouncementView;
  isQuiet: boolean;
}

type Links = RightParts<Announcement['multimedia']>;

/** Returns the faults of links that are neither https nor to an upload. */
const linkFaults = (media: Pick<Media, 'isOwnUrl'>, multimedia: Links): FieldFault[] =>
  multimedia.flatMap(({ url } = {}, place) =>
    url === undefined || media.isOwnUrl(url) || url.toLowerCase().startsWith('https://')
      ? []
      : [
          {
            field: `multimedia.${place}.url`,
            message: 'must be an https address or the publicUrl of an upload',
          },
        ],
  );

/** Checks that links are https and that uploaded files are the educator's own. */
async function checkMultimedia(
  media: AnnouncementDeps['media'],
  multimedia: Announcement['multimedia'],
  ownerId: ObjectId,
  before: Announcement['multimedia'] = [],
): Promise<void> {
  const urls = Object.fromEntries(
    multimedia.map(({ url }, place) => [`multimedia.${place}.url`, url] as const),
  );
  const faults = linkFaults(media, multimedia);
  if (faults.length > 0) throw validationFailed(faults);
  await media.checkPublicUrls(urls, { ownerIds: [ownerId], alreadySaved: before.map(({ url }) => url) });
}

/** Announcements of educators to their followers: publishing, changing and deleting them. */
export function announcementRules(deps: AnnouncementDeps) {
  const { store, views, educators, media, moderation, notifications, fanOut } = deps;
  const { database, events, jobs, clock, newId } = deps;

  async function guardPinned(tx: Transaction, { id, educatorId, pinned }: Announcement): Promise<void> {
    if (!pinned) return;
    await tx.lock('educators.pinned', educatorId);
    if ((await store.countPinned(tx, educatorId, id)) >= MAX_PINNED) throw tooManyPinned();
  }

  async function deleteIn(tx: Transaction, { id: announcementId }: Announcement): Promise<void> {
    await store.delete(tx, announcementId);
    await events.publish(tx, announcementChanged, { announcementId });
    await jobs.enqueue(tx, forgetAnnouncement, [{ announcementId }]);
  }

  /** Deletes an announcement and the notifications of it and of its comments, which quote them. */
  async function withdrawIn(tx: Transaction, one: Announcement): Promise<void> {
    await deleteIn(tx, one);
    const ofOne = { about: { announcementId: one.id }, since: one.createdAt };
    await notifications.withdrawIn(tx, [
      { of: announcementPublished, ...ofOne },
      { of: announcementCommented, ...ofOne, to: one.educatorId },
    ]);
  }

  /**
   * Returns an announcement that members may see.
   * @throws announcementNotFound
   */
  async function find(id: ObjectId): Promise<Announcement> {
    const one = await store.find(id);
    if (!one) throw announcementNotFound();
    return one;
  }

  /** Deletes likes and comments of a deleted announcement in the background, since there may be many. */
  const forget = job(forgetAnnouncement, {
    run: async ({ announcementId }) => {
      while ((await store.forgetSome(announcementId, FORGOTTEN_AT_ONCE)) > 0);
    },
  });

  return {
    jobs: [forget],
    find,
    /** Returns an announcement of the caller, or any for administrators. @throws announcementNotFound, insufficientPermissions */
    async managed(id: ObjectId, caller: UserCaller): Promise<Announcement> {
      const one = await find(id);
      if (one.educatorId !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
      return one;
    },

    /** Returns the faults of an announcement that its shape cannot express. */
    faultsOf: ({ multimedia = [] }: { multimedia?: Links }): FieldFault[] => linkFaults(media, multimedia),
    /** Publishes an announcement; notifies followers unless the educator has exceeded the hourly limit. */
    async publish(
      educator: Educator,
      draft: AnnouncementDraft,
      caller: UserCaller,
      answering: RecordedAnswer<PublishedAnnouncement>,
    ): Promise<PublishedAnnouncement> {
      const at = clock.date();
      const one: Announcement = {
        ...NEW_ANNOUNCEMENT,
        ...draft,
        id: newId(),
        educatorId: educator.id,
        createdAt: at,
        updatedAt: at,
      };
      await checkMultimedia(media, one.multimedia, educator.id);
      const isAdmitted = lazy(() => fanOut.admits('announcements', caller));
      const announcement = only(await views.viewsOf([one], caller, [educator]));
      return database.transaction(async (tx) => {
        await moderation.maySpeak(caller, tx);
        await educators.keepVisibility(tx, educator.id);
        await guardPinned(tx, one);
        const isQuiet = !(await isAdmitted());
        await store.insert(tx, one);
        await events.publish(tx, announcementPublished, {
          educatorId: educator.id,
          isQuiet,
          announcementId: one.id,
        });
        return answered(tx, answering, { announcement, isQuiet });
      });
    },

    /** Changes the given fields, without another notification. @throws announcementNotFound, tooManyPinned, changedMeanwhile */
    async update(
      { id, educatorId, multimedia }: Announcement,
      { expectedUpdatedAt, ...changes }: AnnouncementChanges,
      caller: UserCaller,
      facts: RequestFacts,
    ) {
      await checkMultimedia(media, changes.multimedia ?? [], educatorId, multimedia);
      const changed = await database.transaction(async (tx) => {
        await moderation.maySpeak(caller, tx);
        await educators.keepVisibility(tx, educatorId);
        const before = await store.lock(tx, id);
        if (!before) throw announcementNotFound();
        const differing = changesOf(before, changes);
        if (changesNothing(differing)) return before;
        mustBeAsRead(before, { expectedUpdatedAt });
        const after = { ...before, ...changes, updatedAt: timeOfChange(clock, before) };
        if (!before.pinned) await guardPinned(tx, after);
        await store.update(tx, after);
        await events.publish(tx, announcementChanged, { announcementId: id });
        await moderation.intervene(tx, actorOf(caller, facts), {
          ...interventionIn(before),
          action: 'changed',
          changes: differing,
        });
        return after;
      });
      return only(await views.viewsOf([changed], caller));
    },
    /** Deletes an announcement; if another actor is given, its educator is notified with the reason. */
    delete: ({ id, educatorId }: Pick<Announcement, 'id' | 'educatorId'>, actor: Actor): Promise<void> =>
      database.transaction(async (tx) => {
        // Educators do not decide about reports of what others have commented.
        const containerIds = educatorId === actor.actor ? [] : [id];
        await moderation.closeReports(tx, { kind: 'announcement', subjectIds: [id], containerIds }, actor);
        const one = await store.lock(tx, id);
        if (!one) return;
        await withdrawIn(tx, one);
        await moderation.intervene(tx, actor, { ...interventionIn(one), action: 'removed' });
      }),
    /** Deletes an announcement in a transaction, if it still exists, and notifies nobody. */
    async removeIn(tx: Transaction, id: ObjectId): Promise<undefined> {
      const one = await store.lock(tx, id);
      if (one) await withdrawIn(tx, one);
    },

    /** Deletes the announcements of a deleted educator. */
    async erase(userId: ObjectId): Promise<void> {
      const deleteSome = async (tx: Transaction): Promise<number> => {
        const some = await store.someOf(tx, userId, ERASED_AT_ONCE);
        for (const one of some) await deleteIn(tx, one);
        return some.length;
      };
      while ((await database.transaction(deleteSome)) > 0);
    },
  };
}

export type AnnouncementRules = ReturnType<typeof announcementRules>;

const interventionIn = ({ id, educatorId, title }: Announcement) => ({
  kind: 'announcement',
  subjectId: id,
  authorId: educatorId,
  name: title,
});
