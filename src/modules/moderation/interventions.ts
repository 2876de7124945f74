import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Actor, changesNothing } from '../../kernel/records/audit.ts';
import { type Intervention, memberContentModerated } from './contract.ts';
import { interventionStore as store } from './interventions.store.ts';

type InterventionDeps = Pick<Core, 'events' | 'audit' | 'clock' | 'newId'>;

/**
 * Returns the function that records interventions of administrators and moderators, in the audit log and for the
 * notification of the owner.
 */
export const interventions =
  ({ events, audit, clock, newId }: InterventionDeps) =>
  async (tx: Transaction, actor: Actor, intervention: Intervention): Promise<void> => {
    const { name, changes, details, recordedAs, ...acted } = intervention;
    const { kind, subjectId, authorId, action } = acted;
    if (actor.actor === authorId || (changes && changesNothing(changes))) return;
    const id = newId();
    await audit.record(tx, {
      ...actor,
      action: `${kind}.${recordedAs ?? action}`,
      target: subjectId,
      targetName: name,
      changes,
      details: { ...details, authorId },
    });
    await store.insert(tx, { ...acted, id, reason: actor.reason, actedAt: clock.date() });
    await events.publish(tx, memberContentModerated, { interventionId: id, authorId });
  };
