import { Type } from 'typebox';
import type { Core } from '../../../kernel/core.ts';
import { chunks } from '../../../kernel/database/chunks.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type Job, job, jobKind } from '../../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import type { Identity, MemberCard } from '../../identity/contract.ts';
import { courseChanged } from '../contract.ts';
import { MAX_COURSES, tooManyCourses } from '../failures.ts';
import type { OwnerStore } from './owners.store.ts';

interface OwnerDeps extends Pick<Core, 'database' | 'events' | 'jobs'> {
  store: OwnerStore;
  identity: Pick<Identity, 'cardsOf'>;
}

const OWNERS_AT_ONCE = 500;
/**
 * Courses whose search documents are written in one transaction; the transaction that changes an account must stay
 * short.
 */
const DOCUMENTS_AT_ONCE = 50;

const publishCourseChanges = jobKind('education.publish-course-changes', {
  version: 1,
  data: Type.Object({ courseIds: Type.Array(ObjectIdShape, { maxItems: DOCUMENTS_AT_ONCE }) }),
});

/** Whether courses of an account may be listed and sold. */
const mayTeach = ({ isActive, permissions }: MemberCard): boolean =>
  isActive && (permissions.includes('educator') || permissions.includes('admin'));

/** The right of owners to offer their courses. It is recorded with the courses, in the transaction of each change. */
export function ownerRules({ store, identity, database, events, jobs }: OwnerDeps) {
  const publishChanges = (tx: Transaction, courseIds: ObjectId[]): Promise<void> =>
    events.publish(tx, courseChanged, ...courseIds.map((courseId) => ({ courseId })));

  /** Serializes work that depends on the right of an owner with changes of that right. */
  const lock = (tx: Transaction, ownerId: ObjectId): Promise<void> => tx.lock('education.owner', ownerId);

  /** Records whether the locked owner may teach. */
  async function record(tx: Transaction, card: MemberCard): Promise<void> {
    const changed = await store.setTeaching(tx, card.userId, mayTeach(card));
    const [first = [], ...others] = chunks(changed, DOCUMENTS_AT_ONCE);
    if (first.length > 0) await publishChanges(tx, first);
    const data = others.map((courseIds) => ({ courseIds }));
    if (data.length > 0) await jobs.enqueue(tx, publishCourseChanges, data);
  }

  const cardOf = async (tx: Transaction, ownerId: ObjectId): Promise<MemberCard | undefined> =>
    (await identity.cardsOf([ownerId], tx))[0];

  /** Returns those owners whose courses are recorded differently from what their accounts allow. */
  async function differing(ownerIds: ObjectId[]): Promise<ObjectId[]> {
    const cards = await identity.cardsOf(ownerIds);
    return store.findDiffering(cards.map((card) => ({ ownerId: card.userId, teaches: mayTeach(card) })));
  }

  const publishing: Job = job(publishCourseChanges, {
    concurrency: 1,
    lowPriority: true,
    runIn: (tx, { courseIds }) => publishChanges(tx, courseIds),
  });

  return {
    jobs: [publishing],

    /** Records a change of an account, in its transaction. */
    async follow(tx: Transaction, card: MemberCard): Promise<void> {
      // New accounts have no courses.
      if (card.createdAt === card.updatedAt) return;
      await lock(tx, card.userId);
      await record(tx, card);
    },

    /** Admits another course of an owner; returns whether the owner may teach until the transaction ends. @throws tooManyCourses */
    async admit(tx: Transaction, ownerId: ObjectId): Promise<boolean> {
      await lock(tx, ownerId);
      if ((await store.countCourses(tx, ownerId)) >= MAX_COURSES) throw tooManyCourses();
      const card = await cardOf(tx, ownerId);
      return card !== undefined && mayTeach(card);
    },

    /** Records the right of every owner again, for courses older than the record and for manual changes of accounts. */
    async repair(): Promise<void> {
      for (let after = ''; ; ) {
        const ownerIds = await store.ownersAfter(after, OWNERS_AT_ONCE);
        for (const ownerId of await differing(ownerIds))
          await database.transaction(async (tx) => {
            await lock(tx, ownerId);
            const card = await cardOf(tx, ownerId);
            if (card) await record(tx, card);
          });
        if (ownerIds.length < OWNERS_AT_ONCE) return;
        after = ownerIds.at(-1) as ObjectId;
      }
    },
  };
}

export type OwnerRules = ReturnType<typeof ownerRules>;
