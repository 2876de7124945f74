import { type Failure, failure, notFound, tooManyRequests } from '../../kernel/failures.ts';

export const messageNotFound = notFound('Message');
export const memberNotFound = notFound('Member');

export const messageIdReused = failure(
  409,
  'MESSAGE_ID_REUSED',
  'This clientMessageId was used for another message',
);
export const tooManyMessages = (retryAfterSeconds: number): Failure =>
  tooManyRequests('RATE_LIMIT_EXCEEDED', retryAfterSeconds);
export const slowMode = (retryAfterSeconds: number): Failure =>
  tooManyRequests('SLOW_MODE', retryAfterSeconds);
