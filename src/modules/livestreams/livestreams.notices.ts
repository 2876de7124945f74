import { type Notice, notice } from '../notifications/contract.ts';
import { livestreamStarted } from './contract.ts';

export const livestreamNotices: Notice[] = [
  notice(livestreamStarted, ({ livestreamId, title, hostId, isQuiet }) =>
    isQuiet
      ? []
      : [
          {
            topic: { topic: 'SESSIONS', from: hostId },
            type: 'announcement',
            channels: ['push'],
            title: `Live now: ${title}`,
            message: 'The session has begun.',
            metadata: { action: 'open-session', sessionId: livestreamId, speakerId: hostId },
          },
        ],
  ),
];
