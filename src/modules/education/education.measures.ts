import { Count, facts, figures, type Measures } from '../analytics/contract.ts';
import { courseCompleted, courseEnrolled, lessonCompleted, lessonStarted } from './contract.ts';
import type { EnrolmentStore } from './enrolments/enrolments.store.ts';

const type = 'education';

export const educationMeasures = ({ figuresOf }: Pick<EnrolmentStore, 'figuresOf'>): Measures => ({
  facts: [
    facts(courseEnrolled, ({ userId, courseId, keys }) => [
      { userId, name: 'course.enrolled', type, metadata: { courseId, keys } },
    ]),
    facts(lessonStarted, ({ userId, courseId, lessonId }) => [
      { userId, name: 'lesson.started', type, metadata: { courseId, lessonId } },
    ]),
    facts(lessonCompleted, ({ userId, courseId, lessonId }) => [
      { userId, name: 'lesson.completed', type, metadata: { courseId, lessonId } },
    ]),
    facts(courseCompleted, ({ userId, courseId }) => [
      { userId, name: 'course.completed', type, metadata: { courseId } },
    ]),
  ],
  tracked: {
    names: ['course.viewed', 'lesson.started', 'lesson.completed', 'course.enrolled'],
    types: [type],
  },
  ofMember: [figures(type, { coursesEnrolled: Count, lessonsCompleted: Count }, figuresOf)],
  ofPlatform: [
    figures(
      type,
      {
        coursesCompleted: Count,
        lessonsWatched: { ...Count, description: 'Number of lessons that members completed' },
      },
      ({ facts }) => ({
        coursesCompleted: facts.count('course.completed'),
        lessonsWatched: facts.count('lesson.completed'),
      }),
    ),
  ],
});
