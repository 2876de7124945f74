import { Type } from 'typebox';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { fromEvent, type PublicEvent, publicEvent } from '../webhooks/contract.ts';
import { videoCompleted, videoFailed } from './contract.ts';

const video = {
  videoId: ObjectIdShape,
  lessonId: { ...ObjectIdShape, description: 'The lesson that the video belongs to' },
  ownerId: { ...ObjectIdShape, description: 'Who uploaded it' },
};

export const mediaPublicEvents: PublicEvent[] = [
  publicEvent('video.ready', {
    about: 'A video was processed and can be watched',
    data: Type.Object({ ...video, duration: Type.Integer({ description: 'Seconds' }) }),
    from: [
      fromEvent(videoCompleted, ({ videoId, subjectId, ownerId, duration }) => ({
        videoId,
        lessonId: subjectId,
        ownerId,
        duration,
      })),
    ],
  }),
  publicEvent('video.failed', {
    about: 'A video could not be processed, or its processing was cancelled',
    data: Type.Object({
      ...video,
      code: Type.String({ description: 'As `error.code` of the video', examples: ['CANCELLED'] }),
    }),
    from: [
      fromEvent(videoFailed, ({ videoId, subjectId, ownerId, code }) => ({
        videoId,
        lessonId: subjectId,
        ownerId,
        code,
      })),
    ],
  }),
];
