import type { ObjectId } from '../../kernel/ids.ts';
import { audienceOf, audienceWith, changes, EVERYBODY, type Searchable } from '../search/contract.ts';
import type { CertificateStore } from './certificates/certificates.store.ts';
import { certificateChanged, courseChanged, lessonChanged } from './contract.ts';
import type { Course } from './courses/courses.model.ts';
import type { CourseStore } from './courses/courses.store.ts';
import { isOpen } from './courses/viewing.ts';
import type { EnrolmentStore } from './enrolments/enrolments.store.ts';
import type { LessonStore } from './lessons/lessons.store.ts';

const studentsOf = (courseId: ObjectId): string => `course:${courseId}`;

/**
 * Mirrors `viewing.ts`: drafts are visible to their owner, and courses that are no longer open also to their students.
 */
function audiencesOf(course: Course): string[] {
  if (isOpen(course)) return [EVERYBODY];
  const managers = [audienceOf(course.ownerId), audienceWith('admin')];
  return course.status === 'draft' ? managers : [...managers, studentsOf(course.id)];
}

interface Stores {
  certificates: Pick<CertificateStore, 'findAll' | 'idsAfter'>;
  courses: Pick<CourseStore, 'findAll' | 'idsAfter'>;
  enrolments: Pick<EnrolmentStore, 'coursesOf'>;
  lessons: Pick<LessonStore, 'toSearch' | 'idsAfter' | 'idsOfDeleted'>;
}

export const educationSearchable = ({ certificates, courses, enrolments, lessons }: Stores): Searchable[] => [
  {
    type: 'course',
    plural: 'courses',
    path: '/courses',
    prominence: 7,
    forgetsWords: true,
    changes: [changes(courseChanged, ({ courseId }) => [courseId])],
    read: async (ids, queries) =>
      (await courses.findAll(ids, queries)).map((course) => ({
        id: course.id,
        title: course.title,
        body: [
          course.description,
          course.category,
          ...course.tags,
          ...course.learningOutcomes,
          ...course.syllabus,
        ].join('\n'),
        audiences: audiencesOf(course),
        hasName: true,
        popularity: course.enrolledCount,
        createdAt: course.createdAt,
      })),
    idsAfter: courses.idsAfter,
    rightsOf: async ({ userId }) => ({
      audiences: (await enrolments.coursesOf(userId)).map(studentsOf),
      excluded: [],
    }),
  },
  {
    type: 'lesson',
    plural: 'lessons',
    path: '/lessons',
    prominence: 4,
    forgetsWords: false,
    changes: [
      changes(lessonChanged, ({ lessonId }) => [lessonId]),
      changes(courseChanged, ({ courseId }, queries) => lessons.idsOfDeleted(courseId, queries)),
    ],
    // Students may find published lessons of courses that they may see, which `rightsOf` above determines.
    read: async (ids, queries) =>
      (await lessons.toSearch(ids, queries)).map((lesson) => ({
        id: lesson.id,
        title: lesson.title,
        body: lesson.description,
        audiences: [
          audienceOf(lesson.ownerId),
          audienceWith('admin'),
          ...(lesson.status === 'published' ? [studentsOf(lesson.courseId)] : []),
        ],
        hasName: true,
        popularity: 0,
        createdAt: lesson.createdAt,
      })),
    idsAfter: lessons.idsAfter,
  },
  {
    type: 'certificate',
    plural: 'certificates',
    path: '/certificates',
    prominence: 3,
    // Words of an erased member's certificates are removed from the dictionary at once.
    forgetsWords: true,
    changes: [changes(certificateChanged, ({ certificateId }) => [certificateId])],
    // Anyone with the address of a certificate may verify it, but only its owner may find it.
    read: async (ids, queries) =>
      (await certificates.findAll(ids, queries)).map(
        ({ certificateId: id, userId, courseTitle, issuedAt }) => ({
          id,
          title: courseTitle,
          body: '',
          audiences: [audienceOf(userId)],
          hasName: true,
          popularity: 0,
          createdAt: issuedAt,
        }),
      ),
    idsAfter: certificates.idsAfter,
  },
];
