import { Failure, type FailureMaker, failure } from '../../kernel/failures.ts';

export const linkForged = failure(403, 'LINK_NOT_VALID', 'The link is not valid', { reason: 'forged' });
export const linkExpired = failure(403, 'LINK_EXPIRED', 'The link has expired', { reason: 'expired' });
export const tooFast = (retryAfterSeconds: number): Failure =>
  new Failure(429, 'PLAYBACK_TOO_FAST', 'Too many requests for this video', {
    retryAfterSeconds,
    reason: 'too fast',
  });
/** @param contentBytes the length of the file, which a client needs to ask for a range of it */
export const rangeNotSatisfiable = (contentBytes: number): Failure =>
  new Failure(416, 'RANGE_NOT_SATISFIABLE', 'The range begins beyond the end of the file', { contentBytes });
export const storageUnavailable = (cause: unknown): Failure =>
  new Failure(503, 'SERVICE_UNAVAILABLE', 'The storage is unavailable', {
    retryAfterSeconds: 2,
    reason: 'storage unavailable',
    cause,
  });

/** Reasons why a link's file is not found, for operators only. */
const NOT_FOUND = {
  path: 'no such path',
  missing: 'missing',
  captions: 'no captions in this language',
  content: 'content that cannot be read as its type',
};
export const fileNotFound = (why: keyof typeof NOT_FOUND): Failure =>
  new Failure(404, 'NOT_FOUND', 'File not found', { reason: NOT_FOUND[why] });

/** What links to videos and files may answer, for the list of all codes. */
export const LINK_FAILURES: FailureMaker[] = [
  linkForged,
  linkExpired,
  () => tooFast(1),
  () => rangeNotSatisfiable(0),
  () => storageUnavailable(undefined),
  () => fileNotFound('missing'),
];
