import { type Failure, failure, notFound, tooManyRequests } from '../../kernel/failures.ts';

export const roomNotFound = notFound('Chatroom');
export const messageNotFound = notFound('Message');
export const userNotFound = notFound('User');
export const memberNotFound = notFound('Member');
export const reportNotFound = notFound('Report');

export const notMember = failure(403, 'NOT_A_MEMBER', 'You are not a member of this chatroom');
export const banned = failure(403, 'BANNED', 'You are banned from this chatroom');
export const muted = failure(403, 'MUTED', 'You are muted in this chatroom');
export const creatorStays = failure(
  409,
  'CREATOR_CANNOT_LEAVE',
  'The creator of a chatroom stays in it; it can be deleted',
);
export const messageIdReused = failure(
  409,
  'MESSAGE_ID_REUSED',
  'This clientMessageId was used for another message',
);
export const tooManyMessages = (retryAfterSeconds: number): Failure =>
  tooManyRequests('RATE_LIMIT_EXCEEDED', retryAfterSeconds);
export const slowMode = (retryAfterSeconds: number): Failure =>
  tooManyRequests('SLOW_MODE', retryAfterSeconds);
