import { Type } from 'typebox';
import { failure } from '../failures.ts';
import { type Clock, instantOf } from '../time/time.ts';
import { InstantText } from './shapes.ts';

/**
 * The field of a body by which a client names the state of the record that it changes, so that nobody overwrites what
 * somebody else has saved meanwhile. The rule checks it with {@link mustBeAsRead}.
 */
export const asRead = {
  expectedUpdatedAt: Type.Optional({
    ...InstantText,
    $id: 'ExpectedUpdatedAt',
    description:
      'The `updatedAt` of the record as you read it: if somebody has changed it since, nothing is saved (409 `CHANGED_MEANWHILE`)',
    examples: ['2026-11-21T09:30:00.000Z'],
  }),
};

/** What a client says of the state that it changes; nothing if it overwrites any. */
export interface AsRead {
  expectedUpdatedAt?: string | undefined;
}

export const changedMeanwhile = failure(
  409,
  'CHANGED_MEANWHILE',
  'The record has been changed since you read it; read it again before you save',
);

/**
 * Call it under the lock of the write, once it is known that the save changes something: what a record has already can be
 * saved from any state. Instants are compared in milliseconds, which is what the API shows of those of the database.
 * @param record undefined if it is gone that the client read
 * @throws changedMeanwhile
 */
export function mustBeAsRead(record: { updatedAt: Date } | undefined, { expectedUpdatedAt }: AsRead): void {
  if (expectedUpdatedAt === undefined) return;
  if (record?.updatedAt.getTime() !== instantOf(expectedUpdatedAt).getTime()) throw changedMeanwhile();
}

/**
 * Returns the time of a change: now, but always later than the last change of the record. Two saves within a millisecond,
 * or by processes whose clocks differ, would otherwise leave states that {@link mustBeAsRead} cannot tell apart.
 */
export const timeOfChange = (clock: Pick<Clock, 'now'>, before: { updatedAt: Date } | undefined): Date =>
  new Date(Math.max(clock.now(), (before?.updatedAt.getTime() ?? 0) + 1));
