import assert from 'node:assert/strict';
import {
  enrollInCourse,
  getCourse,
  getCourseProgress,
  leaveCourse,
  listEnrolledCourses,
  rateCourse,
  updateLessonProgress,
} from '../../../sdk/src/index.ts';
import type { Area, Doing } from '../area.ts';
import { type Actor, expectStatus, type Stage, Violation } from '../stage.ts';

// A course is paid for once, by whoever is enrolled, and shows what each has done in it.

export const learningKinds = {
  'learning.enrol': 5,
  'learning.leave': 2,
  'learning.study': 8,
  'learning.rate': 2,
};

/** What somebody has in a course. */
interface Study {
  isEnrolled: boolean;
  hasPaid: boolean;
  completed: Set<string>;
  rating: number | undefined;
}

export function learningArea(stage: Stage): Area<typeof learningKinds> {
  const { people, world, pay } = stage;
  const courses = world.courses.map(({ id, owner, lessons, price }) => ({
    id,
    lessons,
    price,
    owner: people[owner] as Actor,
    studies: people.map(
      (): Study => ({ isEnrolled: price === 0, hasPaid: false, completed: new Set(), rating: undefined }),
    ),
  }));
  type Course = (typeof courses)[number];
  const chosen = ({ pick: [which] }: Doing): Course => courses[which % courses.length] as Course;
  const own = ({ actor }: Doing, { studies }: Course): Study => studies[actor.number] as Study;
  const nameOf = (course: Course): string => `course ${courses.indexOf(course)}`;
  /** Whether an answer agrees with whether the person is enrolled, which only they change. */
  function expectEnrolled(
    what: string,
    { status }: { status: number },
    study: Study,
    refusals: number[],
  ): void {
    expectStatus(stage, what, { status }, 200, ...refusals);
    if ((status === 200) !== study.isEnrolled) throw new Violation(`${what} was answered ${status}`);
  }

  return {
    commands: {
      'learning.enrol': async (doing) => {
        const { actor } = doing;
        const course = chosen(doing);
        const study = own(doing, course);
        const params = { courseId: course.id };
        const answer = await stage.insist(actor, (client) => client.attempt(enrollInCourse, { params }));
        stage.note(`${actor.name} enrols in ${nameOf(course)}: ${answer.status}`);
        const isFree = course.price === 0 || study.hasPaid || actor === course.owner;
        if (answer.status >= 300) {
          if (isFree || study.isEnrolled) throw new Violation('what is free was refused');
          return;
        }
        study.isEnrolled = true;
        study.hasPaid = true;
        if (!isFree) pay(actor, course.owner, course.price);
      },
      'learning.leave': async (doing) => {
        const course = chosen(doing);
        const study = own(doing, course);
        const params = { courseId: course.id };
        const answer = await stage.insist(doing.actor, (client) => client.attempt(leaveCourse, { params }));
        const what = `${doing.actor.name} leaves ${nameOf(course)}`;
        // Repeated after it took effect, it is refused.
        if (answer.uncertain > 0) expectStatus(stage, what, answer, 200, 403, 404, 409);
        else expectEnrolled(what, answer, study, [403, 404, 409]);
        study.isEnrolled = false;
      },
      'learning.study': async (doing) => {
        const { actor, pick } = doing;
        const course = courses.find((one) => own(doing, one).isEnrolled && pick[0] % 4 > 0) ?? chosen(doing);
        const study = own(doing, course);
        // Who begins a lesson again has still completed it.
        const completed = study.completed.size === 0 || pick[2] % 2 === 0;
        const lessons = completed ? course.lessons : [...study.completed];
        const lessonId = lessons[pick[1] % lessons.length] as string;
        const body = { positionSeconds: pick[2] % 60, completed };
        const answer = await stage.insist(actor, (client) =>
          client.attempt(updateLessonProgress, { params: { lessonId }, body }),
        );
        expectEnrolled(`${actor.name} studies ${nameOf(course)}`, answer, study, [403, 404, 409]);
        if (answer.status === 200 && body.completed) study.completed.add(lessonId);
      },
      'learning.rate': async (doing) => {
        const { actor, pick } = doing;
        const course = chosen(doing);
        if (actor === course.owner) return;
        const study = own(doing, course);
        const body = { rating: 1 + (pick[1] % 5) };
        const params = { courseId: course.id };
        const answer = await stage.insist(actor, (client) => client.attempt(rateCourse, { params, body }));
        expectEnrolled(`${actor.name} rates ${nameOf(course)}`, answer, study, [403, 404, 409]);
        if (answer.status === 200) study.rating = body.rating;
      },
    },

    judge: async () => {
      const reader = people[0] as Actor;
      for (const course of courses) {
        const params = { courseId: course.id };
        const { data } = await stage.insist(reader, (client) => client.attempt(getCourse, { params }));
        const enrolled = course.studies.filter(({ isEnrolled }) => isEnrolled);
        assert.equal(data?.enrolledCount, enrolled.length, `who is enrolled in ${nameOf(course)}`);
        const ratings = course.studies.flatMap(({ rating }) => (rating === undefined ? [] : [rating]));
        const mean = ratings.reduce((sum, one) => sum + one, 0) / Math.max(ratings.length, 1);
        assert.ok(
          Math.abs((data?.rating ?? 0) - mean) < 0.051,
          `the rating of ${nameOf(course)}: ${ratings}`,
        );
      }
      for (const actor of people) {
        const { data } = await stage.insist(actor, (client) => client.attempt(listEnrolledCourses));
        const of = (course: Course): Study => course.studies[actor.number] as Study;
        const expected = courses.filter((course) => of(course).isEnrolled);
        assert.deepEqual(
          (data ?? []).map(({ id }) => id).sort(),
          expected.map(({ id }) => id).sort(),
          `the courses of ${actor.name}`,
        );
        for (const course of expected) {
          const params = { courseId: course.id };
          const { data: progress } = await stage.insist(actor, (client) =>
            client.attempt(getCourseProgress, { params }),
          );
          const { completed } = of(course);
          assert.equal(progress?.lessonsCompleted, completed.size, `what ${actor.name} has studied`);
          const isDone = completed.size === course.lessons.length;
          assert.equal(progress?.completedAt !== null, isDone, `whether ${actor.name} is done`);
        }
      }
    },
  };
}
