import { Type } from 'typebox';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { only } from '../../../kernel/only.ts';
import { member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../../kernel/operations/lost-updates.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../../kernel/operations/shapes.ts';
import { educator, notEducator } from '../../identity/contract.ts';
import { muted } from '../../moderation/contract.ts';
import { ANNOUNCED_PER_HOUR, announcedAnswer } from '../../notifications/contract.ts';
import { educatorNotFound } from '../contract.ts';
import { announcementNotFound, tooManyPinned } from '../failures.ts';
import { educatorOnly } from '../profiles/access.ts';
import type { ProfileRules } from '../profiles/profiles.ts';
import type { AnnouncementLikes } from './announcement-likes.ts';
import {
  AnnouncementChangesInBody,
  AnnouncementInBody,
  AnnouncementShape,
  GetAnnouncementFeedQuery,
  LikedOut,
  ListAnnouncementsQuery,
} from './announcements.schemas.ts';
import { type AnnouncementRules, MAX_PINNED, type PublishedAnnouncement } from './announcements.ts';
import type { AnnouncementViews } from './announcements.views.ts';

const tag = 'Announcements';
const OF_EDUCATOR = 'Requires its educator or an administrator, who tells the educator the `reason`.';
const params = Type.Object({ educatorId: pathId('educator') });
const announcementParams = Type.Object({ announcementId: pathId('announcement') });
const failures = [educatorNotFound, notEducator];

interface AnnouncementOperationDeps {
  announcements: AnnouncementRules;
  views: AnnouncementViews;
  likes: AnnouncementLikes;
  profiles: ProfileRules;
}

const publishedAnnouncement = ({ announcement, isQuiet }: PublishedAnnouncement) =>
  announcedAnswer(announcement, 'Announcement created', !isQuiet);

export const announcementOperations = ({
  announcements,
  views,
  likes,
  profiles,
}: AnnouncementOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/educators/announcements/feed',
    id: 'getAnnouncementFeed',
    tag,
    summary: 'List announcements of the educators you follow, newest first',
    access: member,
    query: GetAnnouncementFeedQuery,
    success: pageOf(AnnouncementShape),
    handle: ({ query, caller }) => views.feedOf(query, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/:educatorId/announcements',
    id: 'listAnnouncements',
    tag,
    summary: 'List announcements of an educator: pinned first, then newest first',
    access: member,
    params,
    query: ListAnnouncementsQuery,
    success: pageOf(AnnouncementShape),
    failures,
    load: ({ params }) => profiles.educatorOf(params.educatorId),
    handle: ({ loaded, query, caller }) => views.pageOf(loaded, query, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/educators/:educatorId/announcements',
    id: 'createAnnouncement',
    tag,
    summary: 'Create an announcement',
    description: `Your subscribers are notified of up to ${ANNOUNCED_PER_HOUR.educator} announcements an hour; further ones are published without notifications. At most ${MAX_PINNED} announcements can be pinned.`,
    access: educatorOnly,
    params,
    idempotent: true,
    body: AnnouncementInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: created(AnnouncementShape, { message: 'Announcement created' }),
    failures: [...failures, insufficientPermissions, muted, tooManyPinned],
    load: ({ params, caller }) => profiles.own(params.educatorId, caller),
    faults: ({ body }) => announcements.faultsOf(body),
    handle: async ({ loaded, body, caller, idempotency }) => {
      const answering = { idempotency, of: publishedAnnouncement };
      return publishedAnnouncement(await announcements.publish(loaded, body, caller, answering));
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/announcements/:announcementId',
    id: 'getAnnouncement',
    tag,
    summary: 'Retrieve an announcement',
    access: member,
    params: announcementParams,
    success: ok(AnnouncementShape),
    failures: [announcementNotFound],
    load: ({ params }) => announcements.find(params.announcementId),
    handle: async ({ loaded, caller }) => only(await views.viewsOf([loaded], caller)),
  }),
  operation({
    method: 'PUT',
    path: '/v1/educators/announcements/:announcementId',
    id: 'updateAnnouncement',
    tag,
    summary: 'Update an announcement',
    description: `${OF_EDUCATOR} Fields that are left out keep their values. Subscribers are not notified again.`,
    access: educator,
    isAlsoForStaff: true,
    params: announcementParams,
    body: AnnouncementChangesInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(AnnouncementShape, { message: 'Announcement updated' }),
    failures: [announcementNotFound, insufficientPermissions, muted, tooManyPinned, changedMeanwhile],
    load: ({ params, caller }) => announcements.managed(params.announcementId, caller),
    faults: ({ body }) => announcements.faultsOf(body),
    handle: ({ loaded, body, caller, facts }) => announcements.update(loaded, body, caller, facts),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/educators/announcements/:announcementId',
    id: 'deleteAnnouncement',
    tag,
    summary: 'Delete an announcement',
    description: OF_EDUCATOR,
    access: educator,
    isAlsoForStaff: true,
    params: announcementParams,
    success: ok(DeletedRecord, { message: 'Announcement deleted' }),
    failures: [announcementNotFound, insufficientPermissions],
    load: ({ params, caller }) => announcements.managed(params.announcementId, caller),
    handle: async ({ loaded, caller, facts }) => {
      await announcements.delete(loaded, actorOf(caller, facts));
      return { id: loaded.id };
    },
  }),
  ...([true, false] as const).map((isLike) =>
    operation({
      method: isLike ? 'POST' : 'DELETE',
      path: '/v1/educators/announcements/:announcementId/like',
      id: isLike ? 'likeAnnouncement' : 'unlikeAnnouncement',
      tag,
      summary: isLike ? 'Like an announcement' : 'Remove your like from an announcement',
      description: 'Repeating the request has no further effect.',
      access: member,
      params: announcementParams,
      idempotent: isLike && 'by-nature',
      success: isLike
        ? created(LikedOut, { message: 'Announcement liked' })
        : ok(LikedOut, { message: 'Like removed' }),
      failures: [announcementNotFound],
      load: ({ params }) => announcements.find(params.announcementId),
      handle: ({ loaded, caller }) => likes.like(loaded, caller, isLike),
    }),
  ),
];
