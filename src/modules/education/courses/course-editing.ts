import { lazy } from '../../../kernel/concurrency/lazy.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { type FieldFault, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import { mustBeAsRead, timeOfChange } from '../../../kernel/operations/lost-updates.ts';
import { changesNothing, changesOf } from '../../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../../kernel/records/idempotency.ts';
import { isCurrency } from '../../../kernel/text/currencies.ts';
import type { Media } from '../../media/contract.ts';
import type { Moderation } from '../../moderation/contract.ts';
import type { FanOut } from '../../notifications/contract.ts';
import { courseChanged, coursePublished } from '../contract.ts';
import { courseNotReady } from '../failures.ts';
import type { CourseNotices } from './course-notices.ts';
import { type Course, KEYS } from './courses.model.ts';
import type { CourseChanges, CourseDraft } from './courses.schemas.ts';
import type { CourseStore } from './courses.store.ts';
import { type CourseRules, isReady } from './courses.ts';
import type { CourseDetail, CourseViews } from './courses.views.ts';
import type { OwnerRules } from './owners.ts';

interface EditingDeps extends Pick<Core, 'database' | 'events' | 'clock' | 'newId'> {
  courses: Pick<CourseRules, 'change'>;
  views: Pick<CourseViews, 'detailOf' | 'reread'>;
  store: CourseStore;
  owners: Pick<OwnerRules, 'admit'>;
  notices: CourseNotices;
  media: Pick<Media, 'checkPublicUrls'>;
  moderation: Pick<Moderation, 'intervene'>;
  fanOut: Pick<FanOut, 'admits'>;
}

/** Editing of courses by their owners, and the conditions of publication. */
export function courseEditing(deps: EditingDeps) {
  const { courses, views, store, owners, notices, media, moderation, fanOut } = deps;
  const { database, events, clock, newId } = deps;

  const publishChange = (tx: Transaction, courseId: ObjectId): Promise<void> =>
    events.publish(tx, courseChanged, { courseId });

  /** Checks the files to which a course will refer. */
  const checkFiles = (
    { thumbnail, trailerUrl }: CourseChanges,
    ownerIds: ObjectId[],
    current?: Course,
  ): Promise<void> =>
    media.checkPublicUrls(
      { thumbnail, trailerUrl },
      { ownerIds, alreadySaved: [current?.thumbnail, current?.trailerUrl] },
    );

  return {
    /** @throws tooManyCourses; courseNotReady for the status `published`, since a new course has no lessons */
    async create(draft: CourseDraft, caller: UserCaller, idempotency = notIdempotent): Promise<CourseDetail> {
      await checkFiles(draft, [caller.userId]);
      const at = clock.date();
      const course = applied(
        {
          ...EMPTY,
          id: newId(),
          ownerId: caller.userId,
          title: draft.title,
          createdAt: at,
          updatedAt: at,
        },
        draft,
      );
      if (course.status === 'published') throw courseNotReady();
      const detail = await views.detailOf(course, caller);
      return database.transaction(async (tx) => {
        const ownerTeaches = await owners.admit(tx, course.ownerId);
        await store.insert(tx, { ...course, ownerTeaches });
        await publishChange(tx, course.id);
        return answered(tx, { idempotency }, detail);
      });
    },

    /** Changes the given fields. @throws courseNotFound, courseNotReady, changedMeanwhile */
    async update(current: Course, given: CourseChanges, caller: UserCaller, facts: RequestFacts) {
      const { id } = current;
      const { expectedUpdatedAt, ...changes } = given;
      await checkFiles(changes, [current.ownerId, caller.userId], current);
      const isAdmitted = lazy(() => fanOut.admits('courses', caller));
      await courses.change(id, async (tx, before) => {
        const course = { ...applied(before, changes), updatedAt: timeOfChange(clock, before) };
        if (course.status === 'published' && !isReady(course)) throw courseNotReady();
        const changed = changesOf(before, changes);
        if (changesNothing(changed)) return;
        mustBeAsRead(before, { expectedUpdatedAt });
        await store.update(tx, course);
        await publishChange(tx, id);
        await moderation.intervene(tx, actorOf(caller, facts), {
          kind: 'course',
          subjectId: id,
          authorId: before.ownerId,
          action: 'changed',
          name: before.title,
          changes: changed,
        });
        if (course.status === 'published' && before.status !== 'published')
          await events.publish(tx, coursePublished, {
            courseId: id,
            instructorId: course.ownerId,
            isQuiet: !(await notices.announces(tx, id, isAdmitted)),
          });
        if (course.status !== 'published' && before.status === 'published') await notices.withdraw(tx, id);
      });
      return views.reread(id, caller);
    },
  };
}

export type CourseEditing = ReturnType<typeof courseEditing>;

const EMPTY = {
  description: '',
  category: '',
  level: 'beginner',
  price: 0,
  currency: KEYS,
  thumbnail: null,
  trailerUrl: null,
  requirements: [],
  learningOutcomes: [],
  tags: [],
  syllabus: [],
  status: 'draft',
  ownerTeaches: true,
  moduleCount: 0,
  lessonCount: 0,
  duration: 0,
  enrolledCount: 0,
  rating: 0,
  ratingCount: 0,
} satisfies Partial<Course>;

/** Returns the course with the given changes applied. @throws 422 for an invalid currency or price */
function applied(course: Course, changes: CourseChanges): Course {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const changed: Course = { ...course, ...Object.fromEntries(given) };
  const faults = priceFaults(changed);
  if (faults.length > 0) throw validationFailed(faults);
  return changed;
}

/** Returns what is wrong with the price of a course or its currency, which are none and Keys if they are left out. */
export function priceFaults({
  price = 0,
  currency = KEYS,
}: Pick<CourseChanges, 'price' | 'currency'>): FieldFault[] {
  const isWhole = Number.isInteger(price);
  if (currency === KEYS)
    return isWhole ? [] : [{ field: 'price', message: 'must be a whole number of Keys' }];
  const isExact = isWhole || Math.round(price * 100) / 100 === price;
  return [
    ...(isCurrency(currency)
      ? []
      : [{ field: 'currency', message: 'must be Keys or an ISO 4217 currency code' }]),
    ...(isExact ? [] : [{ field: 'price', message: 'must have at most two decimals' }]),
  ];
}
