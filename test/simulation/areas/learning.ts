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
import type { Area, Execution } from '../area.ts';
import { type Actor, expectStatus, type Stage, Violation } from '../stage.ts';

// Each person pays for a course once, and a course shows who is enrolled, their progress and their ratings.

export const learningKinds = {
  'learning.enrol': 5,
  'learning.leave': 2,
  'learning.study': 8,
  'learning.rate': 2,
};

/** The state of one person in one course. */
interface Study {
  isEnrolled: boolean;
  hasPaid: boolean;
  completed: Set<string>;
  rating: number | undefined;
}

export function learningArea(stage: Stage): Area<typeof learningKinds> {
  const { people, world, recordPayment } = stage;
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
  const chosenCourse = ({ pick: [which] }: Execution): Course => courses[which % courses.length] as Course;
  const ownStudy = ({ actor }: Execution, { studies }: Course): Study => studies[actor.number] as Study;
  const nameOf = (course: Course): string => `course ${courses.indexOf(course)}`;
  /** Checks that a request succeeded exactly if the person is enrolled. Only they themselves change that. */
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
      'learning.enrol': async (execution) => {
        const { actor } = execution;
        const course = chosenCourse(execution);
        const study = ownStudy(execution, course);
        const params = { courseId: course.id };
        const answer = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(enrollInCourse, { params }),
        );
        stage.note(`${actor.name} enrols in ${nameOf(course)}: ${answer.status}`);
        const isFree = course.price === 0 || study.hasPaid || actor === course.owner;
        if (answer.status >= 300) {
          if (isFree || study.isEnrolled) throw new Violation('an enrolment that costs nothing was refused');
          return;
        }
        study.isEnrolled = true;
        study.hasPaid = true;
        if (!isFree) recordPayment(actor, course.owner, course.price);
      },
      'learning.leave': async (execution) => {
        const course = chosenCourse(execution);
        const study = ownStudy(execution, course);
        const params = { courseId: course.id };
        const answer = await stage.retryUntilCertain(execution.actor, (client) =>
          client.attempt(leaveCourse, { params }),
        );
        const what = `${execution.actor.name} leaves ${nameOf(course)}`;
        // A retry is refused if an earlier attempt has taken effect.
        if (answer.uncertain > 0) expectStatus(stage, what, answer, 200, 403, 404, 409);
        else expectEnrolled(what, answer, study, [403, 404, 409]);
        study.isEnrolled = false;
      },
      'learning.study': async (execution) => {
        const { actor, pick } = execution;
        const course =
          courses.find((one) => ownStudy(execution, one).isEnrolled && pick[0] % 4 > 0) ??
          chosenCourse(execution);
        const study = ownStudy(execution, course);
        // Starting a completed lesson again must not reset its completion.
        const completed = study.completed.size === 0 || pick[2] % 2 === 0;
        const lessons = completed ? course.lessons : [...study.completed];
        const lessonId = lessons[pick[1] % lessons.length] as string;
        const body = { positionSeconds: pick[2] % 60, completed };
        const answer = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(updateLessonProgress, { params: { lessonId }, body }),
        );
        expectEnrolled(`${actor.name} studies ${nameOf(course)}`, answer, study, [403, 404, 409]);
        if (answer.status === 200 && body.completed) study.completed.add(lessonId);
      },
      'learning.rate': async (execution) => {
        const { actor, pick } = execution;
        const course = chosenCourse(execution);
        if (actor === course.owner) return;
        const study = ownStudy(execution, course);
        const body = { rating: 1 + (pick[1] % 5) };
        const params = { courseId: course.id };
        const answer = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(rateCourse, { params, body }),
        );
        expectEnrolled(`${actor.name} rates ${nameOf(course)}`, answer, study, [403, 404, 409]);
        if (answer.status === 200) study.rating = body.rating;
      },
    },

    judge: async () => {
      const reader = people[0] as Actor;
      for (const course of courses) {
        const params = { courseId: course.id };
        const { data } = await stage.retryUntilCertain(reader, (client) =>
          client.attempt(getCourse, { params }),
        );
        const enrolled = course.studies.filter(({ isEnrolled }) => isEnrolled);
        assert.equal(data?.enrolledCount, enrolled.length, `the students of ${nameOf(course)}`);
        const ratings = course.studies.flatMap(({ rating }) => (rating === undefined ? [] : [rating]));
        const mean = ratings.reduce((sum, one) => sum + one, 0) / Math.max(ratings.length, 1);
        assert.ok(
          Math.abs((data?.rating ?? 0) - mean) < 0.051,
          `the rating of ${nameOf(course)}: ${ratings}`,
        );
      }
      for (const actor of people) {
        const { data } = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(listEnrolledCourses),
        );
        const of = (course: Course): Study => course.studies[actor.number] as Study;
        const expected = courses.filter((course) => of(course).isEnrolled);
        assert.deepEqual(
          (data ?? []).map(({ id }) => id).sort(),
          expected.map(({ id }) => id).sort(),
          `the courses of ${actor.name}`,
        );
        for (const course of expected) {
          const params = { courseId: course.id };
          const { data: progress } = await stage.retryUntilCertain(actor, (client) =>
            client.attempt(getCourseProgress, { params }),
          );
          const { completed } = of(course);
          assert.equal(progress?.lessonsCompleted, completed.size, `the completed lessons of ${actor.name}`);
          const isDone = completed.size === course.lessons.length;
          assert.equal(
            progress?.completedAt !== null,
            isDone,
            `whether ${actor.name} has completed the course`,
          );
        }
      }
    },
  };
}
