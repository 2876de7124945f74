import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Intervention } from './contract.ts';

/** The data of an intervention that the notification of its author needs. */
export interface ToldIntervention extends Pick<Intervention, 'kind' | 'action' | 'subjectId'> {
  id: ObjectId;
  reason: string | null;
}

export const interventionStore = {
  async insert(
    tx: Transaction,
    intervention: Omit<Intervention, 'name' | 'changes' | 'details' | 'recordedAs'> & {
      id: ObjectId;
      reason: string | undefined;
      actedAt: Date;
    },
  ): Promise<void> {
    await tx.insert('moderation.intervention', intervention, [
      'id',
      'kind',
      'subjectId',
      'authorId',
      'action',
      'reason',
      'actedAt',
    ]);
  },
  findAll: (ids: ObjectId[], queries: Queries): Promise<ToldIntervention[]> =>
    queries.all(
      'select id, kind, subject_id, action, reason from moderation.intervention where id = any($1)',
      [ids],
    ),
  async erase(tx: Transaction, authorId: ObjectId): Promise<void> {
    await tx.execute('delete from moderation.intervention where author_id = $1', [authorId]);
  },
};
