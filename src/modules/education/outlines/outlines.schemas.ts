import { type Static, Type } from 'typebox';
import { nullable, ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { CourseModule } from '../courses/courses.schemas.ts';
import { MAX_LESSONS_OF_COURSE } from '../lessons/lessons.model.ts';
import { LessonShape } from '../lessons/lessons.schemas.ts';
import { CourseProgressShape, LessonProgressShape } from '../progress/progress.schemas.ts';

const { courseId: _, lessons: __, ...summary } = CourseProgressShape.properties;
const { positionSeconds, completed } = LessonProgressShape.properties;
const { id, title, order, duration, preview, status, thumbnailUrl, videoUnavailable, quiz } =
  LessonShape.properties;

const OutlineLesson = Type.Object(
  {
    id,
    title,
    order,
    duration,
    preview,
    status,
    thumbnailUrl,
    videoUnavailable,
    quiz,
    progress: nullable(
      Type.Object(
        { positionSeconds, completed, completedAt: LessonProgressShape.properties.completedAt },
        { description: 'Null if you are not enrolled, and for lessons that are not published' },
      ),
    ),
  },
  { $id: 'OutlineLesson' },
);

const { id: moduleId, title: moduleTitle, order: moduleOrder, ...counts } = CourseModule.properties;

const OutlineModule = Type.Object(
  {
    id: moduleId,
    title: moduleTitle,
    order: moduleOrder,
    lessonCount: counts.lessonCount,
    duration: counts.duration,
    updatedAt: counts.updatedAt,
    lessons: Type.Array(OutlineLesson),
  },
  { $id: 'OutlineModule' },
);

export const CourseOutline = Type.Object(
  {
    courseId: ObjectIdShape,
    title: Type.String({ examples: ['Reading the tape'] }),
    enrolled: Type.Boolean({ description: 'Whether you are enrolled in the course' }),
    progress: nullable(Type.Object(summary, { description: 'Null if you are not enrolled' })),
    modules: Type.Array(OutlineModule),
    hasMoreLessons: Type.Boolean({
      description: `Whether lessons are left out, beyond the first ${spelled(MAX_LESSONS_OF_COURSE)}; only courses from before that limit have so many. \`GET /v1/lessons\` lists them by module`,
    }),
  },
  { $id: 'CourseOutline' },
);
export type CourseOutline = Static<typeof CourseOutline>;
export type OutlineLesson = Static<typeof OutlineLesson>;
