import { Type } from 'typebox';
import { mapPage } from '../../kernel/database/pagination.ts';
import { insufficientPermissions, validationFailed } from '../../kernel/failures.ts';
import { anyClient, member, permittedOwner } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../kernel/operations/lost-updates.ts';
import { idPageOf, momentPageOf } from '../../kernel/operations/moments.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { boundsOf } from '../../kernel/operations/periods.ts';
import { instantOf } from '../../kernel/time/time.ts';
import { localText } from '../../kernel/time/zones.ts';
import { educator, notEducator } from '../identity/contract.ts';
import { muted } from '../moderation/contract.ts';
import { announcedAnswer } from '../notifications/contract.ts';
import { hostNotFound } from './hosts.ts';
import type { LivestreamView } from './livestreams.model.ts';
import {
  ListLiveStreamsQuery,
  ListLivestreamsQuery,
  ListScheduledLiveStreamsQuery,
  LivestreamChangesInBody,
  LivestreamInBody,
  LivestreamShape,
  LocalLivestreamShape,
} from './livestreams.schemas.ts';
import {
  type LivestreamRules,
  notLive,
  notScheduled,
  timeFaults,
  tooManyLivestreams,
} from './livestreams.ts';
import { type LivestreamViewing, livestreamNotFound } from './viewing.ts';

const educatorOrModerator = permittedOwner('educator', {
  name: 'educator-or-moderator',
  refused: notEducator,
  or: ['moderator'],
});

const tag = 'Livestreams';
const params = Type.Object({ livestreamId: pathId('livestream') });

const localView = (stream: LivestreamView, timezone: string | undefined) =>
  timezone === undefined
    ? stream
    : {
        ...stream,
        timezone,
        scheduledStartLocal: localText(stream.scheduledStart, timezone),
        scheduledEndLocal: localText(stream.scheduledEnd, timezone),
      };

interface Times {
  scheduledStart?: string | undefined;
  scheduledEnd?: string | undefined;
}

/** Parses the times of a body; omits missing ones. */
const timesOf = ({ scheduledStart, scheduledEnd }: Times) => ({
  ...(scheduledStart === undefined ? {} : { scheduledStart: instantOf(scheduledStart) }),
  ...(scheduledEnd === undefined ? {} : { scheduledEnd: instantOf(scheduledEnd) }),
});

export const livestreamOperations = (streams: LivestreamRules, viewing: LivestreamViewing): Operation[] => {
  const move = (
    what: 'start' | 'end' | 'cancel',
    summary: string,
    message: string,
    refused: typeof notLive,
  ): Operation =>
    operation({
      method: 'POST',
      path: `/v1/livestreams/:livestreamId/${what}`,
      id: `${what}Livestream`,
      tag,
      summary,
      description: 'Requires its host, or an administrator, who tells the host the `reason`.',
      access: educator,
      isAlsoForStaff: true,
      params,
      success: ok(LivestreamShape, { message }),
      failures: [livestreamNotFound, insufficientPermissions, refused, ...(what === 'start' ? [muted] : [])],
      load: ({ params, caller }) => viewing.owned(params.livestreamId, caller),
      handle: async ({ params, caller, facts }) => {
        if (what === 'cancel')
          return viewing.view(await streams.cancel(params.livestreamId, actorOf(caller, facts)));
        const { stream, isAnnounced } = await streams[what](params.livestreamId, caller, facts);
        return announcedAnswer(await viewing.view(stream), message, isAnnounced);
      },
    });

  return [
    operation({
      method: 'GET',
      path: '/v1/livestreams/public/live',
      id: 'listLivestreamsOnAir',
      tag,
      summary: 'List livestreams that are live',
      access: anyClient,
      query: ListLiveStreamsQuery,
      success: pageOf(LivestreamShape),
      handle: ({ query }) => viewing.onAir(query),
    }),
    operation({
      method: 'GET',
      path: '/v1/livestreams/public/live/scheduled',
      id: 'listScheduledLiveStreams',
      tag,
      summary: 'List livestreams within their scheduled time',
      description:
        'Lists livestreams that are neither cancelled nor over. With `timezone`, times are also returned as local times of that zone.',
      access: anyClient,
      query: ListScheduledLiveStreamsQuery,
      success: pageOf(LocalLivestreamShape),
      handle: async ({ query: { timezone, ...request } }) =>
        mapPage(await viewing.inWindow(request), (stream) => localView(stream, timezone)),
    }),
    operation({
      method: 'GET',
      path: '/v1/livestreams',
      id: 'listLivestreams',
      tag,
      summary: 'List all livestreams',
      description:
        'The next ones are `?status=scheduled&sort=soonest`. `from` and `to` refer to `scheduledStart`.',
      access: member,
      query: ListLivestreamsQuery,
      success: pageOf(LivestreamShape),
      handle: ({ query: { status, host, hostId = host, from, to, sort, ...request }, caller }) => {
        if (host !== undefined && host !== hostId)
          throw validationFailed([{ field: 'host', message: 'must not differ from hostId' }]);
        const filter = { status, hostId, ...boundsOf({ from, to }) };
        return sort === 'soonest'
          ? viewing.soonestFor(filter, caller, momentPageOf(request))
          : viewing.pageFor(filter, caller, idPageOf(request));
      },
    }),
    operation({
      method: 'POST',
      path: '/v1/livestreams',
      id: 'createLivestream',
      tag,
      summary: 'Schedule a livestream',
      description:
        'If `hostId` is left out, you are the host. Only administrators can schedule livestreams of others.',
      access: educator,
      idempotent: true,
      body: LivestreamInBody,
      success: created(LivestreamShape, { message: 'Livestream created' }),
      failures: [insufficientPermissions, muted, hostNotFound, notEducator, tooManyLivestreams],
      faults: ({ body: { scheduledStart, scheduledEnd } }) =>
        scheduledStart && scheduledEnd
          ? timeFaults({ scheduledStart: instantOf(scheduledStart), scheduledEnd: instantOf(scheduledEnd) })
          : [],
      handle: ({ body, caller, idempotency }) => {
        const { title, description = '', hostId = caller.userId, scheduledStart, scheduledEnd } = body;
        const times = { scheduledStart: instantOf(scheduledStart), scheduledEnd: instantOf(scheduledEnd) };
        return streams.create({ title, description, hostId, ...times }, caller, idempotency);
      },
    }),
    operation({
      method: 'GET',
      path: '/v1/livestreams/:livestreamId',
      id: 'getLivestream',
      tag,
      summary: 'Retrieve a livestream',
      access: member,
      params,
      success: ok(LivestreamShape),
      failures: [livestreamNotFound],
      handle: async ({ params, caller }) => viewing.view(await viewing.find(params.livestreamId, caller)),
    }),
    operation({
      method: 'PUT',
      path: '/v1/livestreams/:livestreamId',
      id: 'updateLivestream',
      tag,
      summary: 'Update a livestream',
      description:
        'Requires its host, or an administrator or a moderator, who tells the host the `reason`. Fields that are left out keep their values. A livestream that is over cannot be changed.',
      access: educatorOrModerator,
      isAlsoForStaff: true,
      params,
      body: LivestreamChangesInBody,
      success: ok(LivestreamShape, { message: 'Livestream updated' }),
      failures: [
        livestreamNotFound,
        insufficientPermissions,
        muted,
        hostNotFound,
        notEducator,
        notScheduled,
        changedMeanwhile,
      ],
      load: ({ params, caller }) => viewing.managed(params.livestreamId, caller),
      handle: async ({ params, body: { scheduledStart, scheduledEnd, ...rest }, caller, facts }) => {
        const changes = { ...rest, ...timesOf({ scheduledStart, scheduledEnd }) };
        return viewing.view(await streams.update(params.livestreamId, changes, caller, facts));
      },
    }),
    move('start', 'Start a livestream', 'Livestream started', notScheduled),
    move('end', 'End a livestream', 'Livestream ended', notLive),
    move('cancel', 'Cancel a livestream', 'Livestream cancelled', notScheduled),
  ];
};
