import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { FailureMaker } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Grant } from '../access/access.model.ts';
import type { AccessStore } from '../access/access.store.ts';
import type { CatalogueStore } from '../catalogue/catalogue.store.ts';
import type { HolderStore } from '../handles/holders.store.ts';
import { eventIdReused } from './failures.ts';
import type { WebhookEventStore, WebhookKind } from './webhook-events.store.ts';
import type { Envelope } from './webhooks.model.ts';

export const BACKOFFICE = 'service:backoffice';

interface Deps extends Pick<Core, 'database' | 'audit' | 'clock'> {
  store: Pick<AccessStore, 'lockMember'>;
  holders: Pick<HolderStore, 'isErased'>;
  webhookEvents: WebhookEventStore;
  catalogue: Pick<CatalogueStore, 'namesOf'>;
}

interface ReceivedEvent<Answer> {
  kind: WebhookKind;
  userId: ObjectId;
  /** What is answered about a member who was deleted in the same moment. */
  gone: FailureMaker;
  envelope: Envelope;
  /** Whether the response that was saved for the event's id belongs to this event. */
  isSame: (before: Answer) => boolean;
  work: (tx: Transaction, isIgnored: boolean) => Promise<Answer>;
}

/** The common handling of the backoffice's webhooks, whose events may be repeated, concurrent and out of order. */
export function receiving({ store, holders, webhookEvents, catalogue, database, audit, clock }: Deps) {
  /**
   * Handles an event under the lock of the member: a repeated event returns its first response, and an event older than
   * the newest one is ignored.
   * @throws `gone`, and eventIdReused when `isSame` denies that the response belongs to this event
   */
  function take<Answer extends { userId: ObjectId }>({
    kind,
    userId,
    gone,
    envelope,
    isSame,
    work,
  }: ReceivedEvent<Answer>): Promise<Answer> {
    const { eventId, occurredAt: claimedAt } = envelope;
    // Limits the time to now, so that a sender whose clock is ahead does not make later events look old.
    const occurredAt = claimedAt && new Date(Math.min(claimedAt.getTime(), clock.now()));
    return database.transaction(async (tx) => {
      await store.lockMember(tx, userId);
      if (await holders.isErased(tx, userId)) throw gone();
      const before = await answerTo(tx, kind, eventId);
      if (before && !isSame(before as Answer)) throw eventIdReused();
      if (before) return before as Answer;
      const isIgnored = await isOutdated(tx, kind, userId, occurredAt);
      const answer = await work(tx, isIgnored);
      if (occurredAt && !isIgnored) await webhookEvents.noteOccurred(tx, userId, kind, occurredAt);
      if (eventId !== undefined)
        await webhookEvents.keepAnswer(tx, { kind, eventId, answer, createdAt: clock.date() });
      return answer;
    });
  }

  /** Returns the first response to an event, if it has an id and there is one; concurrent events with this id wait. */
  async function answerTo(
    tx: Transaction,
    kind: WebhookKind,
    eventId: string | undefined,
  ): Promise<object | undefined> {
    if (eventId === undefined) return undefined;
    await tx.lock(`indicators.webhook-${kind}`, eventId);
    return webhookEvents.answerOf(tx, kind, eventId);
  }

  async function isOutdated(
    tx: Transaction,
    kind: WebhookKind,
    userId: ObjectId,
    at: Date | undefined,
  ): Promise<boolean> {
    if (at === undefined) return false;
    const newest = await webhookEvents.newestOf(tx, userId, kind);
    return newest !== null && newest > at;
  }

  async function resultsOf(tx: Transaction, list: Grant[]) {
    const named = await catalogue.namesOf(
      tx,
      list.map(({ indicatorId }) => indicatorId),
    );
    const nameOf = new Map(named.map(({ id, name }) => [id, name]));
    return list.map(({ id, indicatorId, status, lastError }) => ({
      scannerId: indicatorId,
      scannerName: nameOf.get(indicatorId) ?? '',
      accessId: id,
      status,
      ...(status === 'failed' && lastError !== null ? { error: lastError } : {}),
    }));
  }

  const record = (tx: Transaction, target: ObjectId, action: string, details: Record<string, unknown>) =>
    audit.record(tx, { actor: BACKOFFICE, action, target, details });

  return { take, resultsOf, record };
}

export type Receiving = ReturnType<typeof receiving>;
