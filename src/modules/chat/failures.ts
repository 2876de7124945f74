import {
  type Failure,
  type FailureMaker,
  failure,
  notFound,
  tooManyRequests,
} from '../../kernel/failures.ts';
import { blocked, muted } from '../moderation/contract.ts';
import { banned, notMember, roomNotFound } from './contract.ts';
import { MAX_EDITS, REPORTABLE_DAYS } from './messages.model.ts';
import { MAX_OWN_ROOMS, MAX_RECEIVED_ROOMS } from './rooms.model.ts';

export const messageNotFound = notFound('Message');
export const memberNotFound = notFound('Member');

export const tooManyRooms = failure(
  409,
  'TOO_MANY_CHATROOMS',
  `You can have at most ${MAX_OWN_ROOMS} chatrooms`,
);

export const ownerHasTooManyRooms = failure(
  409,
  'OWNER_HAS_TOO_MANY_CHATROOMS',
  `A chatroom cannot be handed on to somebody who has ${MAX_RECEIVED_ROOMS} chatrooms`,
);
export const educatorRoomStays = failure(
  409,
  'CHATROOM_OF_EDUCATOR',
  'The chatroom of an educator cannot be handed on',
);

export const tooManyNewRooms = (retryAfterSeconds: number): Failure =>
  tooManyRequests('CHATROOM_LIMIT_EXCEEDED', retryAfterSeconds);
export const tooManyAdded = (retryAfterSeconds: number): Failure =>
  tooManyRequests('ADDING_LIMIT_EXCEEDED', retryAfterSeconds);
export const tooManyRestrictions = (retryAfterSeconds: number): Failure =>
  tooManyRequests('RESTRICTION_LIMIT_EXCEEDED', retryAfterSeconds);
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
export const tooManyEdits = failure(
  409,
  'TOO_MANY_EDITS',
  `A message can be edited at most ${MAX_EDITS} times within ${REPORTABLE_DAYS} days`,
);
export const tooManyMessages = (retryAfterSeconds: number): Failure =>
  tooManyRequests('MESSAGE_LIMIT_EXCEEDED', retryAfterSeconds);
export const slowMode = (retryAfterSeconds: number): Failure =>
  tooManyRequests('SLOW_MODE', retryAfterSeconds);

/** The failures of sending a message, over HTTP and the live channel alike. */
export const SEND_FAILURES: FailureMaker[] = [
  roomNotFound,
  notMember,
  banned,
  blocked,
  muted,
  messageIdReused,
  () => slowMode(5),
  () => tooManyMessages(1),
];
