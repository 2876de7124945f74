import { type Failure, failure, notFound, tooManyRequests } from '../../kernel/failures.ts';

export const messageNotFound = notFound('Message');
export const memberNotFound = notFound('Member');

/** Maximum number of chatrooms of one creator: a block locks all rooms of both members. */
export const MAX_OWN_ROOMS = 1_000;
export const tooManyRooms = failure(
  409,
  'TOO_MANY_CHATROOMS',
  `You can have at most ${MAX_OWN_ROOMS} chatrooms`,
);

export const tooManyNewRooms = (retryAfterSeconds: number): Failure =>
  tooManyRequests('CHATROOM_LIMIT_EXCEEDED', retryAfterSeconds);
export const tooManyAdded = (retryAfterSeconds: number): Failure =>
  tooManyRequests('ADDING_LIMIT_EXCEEDED', retryAfterSeconds);
export const memberLeft = failure(409, 'MEMBER_LEFT', 'The member has left this chatroom');

export const roomHasHistory = failure(
  409,
  'CHATROOM_HAS_HISTORY',
  'A chatroom that others are in or have written in cannot become public',
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
