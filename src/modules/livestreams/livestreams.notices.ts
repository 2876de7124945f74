import { ANNOUNCEMENT, type Notice, notice, noticeAction } from '../notifications/contract.ts';
import { livestreamStarted } from './contract.ts';
import type { LivestreamStore } from './livestreams.store.ts';

export const livestreamNotices = ({ findAll }: Pick<LivestreamStore, 'findAll'>): Notice[] => [
  notice(livestreamStarted, {
    type: ANNOUNCEMENT,
    action: noticeAction('open-session', {
      opens: 'the livestream',
      path: '/v1/livestreams/{sessionId}',
      ids: ['sessionId', 'speakerId'],
    }),
    read: async (all, queries) => {
      const streams = await findAll(
        all.map(({ livestreamId }) => livestreamId),
        queries,
      );
      return new Map(streams.map((stream) => [stream.id, stream]));
    },
    // A livestream that has already ended is not announced.
    write: ({ livestreamId, hostId }, streams) => {
      const stream = streams.get(livestreamId);
      if (stream?.status !== 'live') return [];
      return [
        {
          topic: 'SESSIONS',
          from: hostId,
          channels: ['push'],
          title: `Live now: ${stream.title}`,
          message: 'The session has begun.',
          ids: { sessionId: livestreamId, speakerId: hostId },
        },
      ];
    },
  }),
];
