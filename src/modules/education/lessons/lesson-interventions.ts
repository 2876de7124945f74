import type { Transaction } from '../../../kernel/database/queries.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import type { Intervention, Moderation } from '../../moderation/contract.ts';
import type { Lesson } from './lessons.model.ts';
import type { LessonStore } from './lessons.store.ts';

/** What was done to a part of a lesson, such as its quiz. */
type PartIntervention = Required<Pick<Intervention, 'recordedAs'>> & Pick<Intervention, 'details'>;

/** Records in the audit log that an administrator changed a part of the lesson of another owner, who is notified. */
export type InterveneInLesson = (
  tx: Transaction,
  actor: Actor,
  lesson: Pick<Lesson, 'id' | 'title'>,
  what: PartIntervention,
) => Promise<void>;

interface Deps {
  moderation: Pick<Moderation, 'intervene'>;
  store: Pick<LessonStore, 'ownerOf'>;
}

/** For changes of parts of lessons, which lock no course: the owner is looked up. */
export const lessonInterventions =
  ({ moderation, store }: Deps): InterveneInLesson =>
  async (tx, actor, { id, title }, what) => {
    const authorId = await store.ownerOf(id, tx);
    if (authorId === undefined) return;
    const acted = { kind: 'lesson', subjectId: id, authorId, action: 'changed' as const, name: title };
    await moderation.intervene(tx, actor, { ...acted, ...what });
  };
