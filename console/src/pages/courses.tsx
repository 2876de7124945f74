import { type CourseSummary, deleteCourse, listCourses, updateCourse } from '@platform-api/sdk';
import { api } from '../api.ts';
import { type Act, ActButton, Field, reasonOf, textOf } from '../parts/act.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Menu } from '../parts/menu.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count, duration, nameOf } from '../text.ts';

const STATUSES = ['draft', 'published', 'archived'] as const;
const VERBS = { draft: 'Unpublish', published: 'Publish', archived: 'Archive' };

const move = ({ id, title }: CourseSummary, status: (typeof STATUSES)[number]): Act => ({
  name: VERBS[status],
  title: `${VERBS[status]} ${title}`,
  reason: 'none',
  note:
    status === 'published'
      ? 'Members see it and can enrol.'
      : 'Nobody can enrol any more. Whoever is enrolled keeps it, and it can be published again.',
  run: async () => {
    await api.call(updateCourse, { params: { courseId: id }, body: { status } });
    return `${title} is ${status}.`;
  },
});

const remove = ({ id, title, enrolledCount }: CourseSummary): Act => ({
  name: 'Delete',
  title: `Delete ${title}`,
  act: 'Delete course',
  isDangerous: true,
  reason: 'none',
  typed: title,
  facts: [['Enrolled', `${count(enrolledCount)} members`]],
  note: 'Its modules and lessons go with it. This cannot be undone.',
  run: async () => {
    await api.call(deleteCourse, { params: { courseId: id } });
    return `Deleted ${title}.`;
  },
});

const passOn = ({ id, title, instructor }: CourseSummary): Act => ({
  name: 'Change owner',
  title: `Pass ${title} on to another educator`,
  act: 'Change owner',
  facts: [['Owner now', nameOf(instructor)]],
  fields: (
    <Field label="New owner" hint="The id of the educator, 24 characters.">
      <input name="userId" pattern="[0-9a-f]{24}" autoComplete="off" required />
    </Field>
  ),
  note: 'Members stay enrolled. From now on the new owner changes and publishes it.',
  openings: ['the educator has left'],
  run: async (form) => {
    const course = await api.courses.changeOwner(id, {
      userId: textOf(form, 'userId'),
      reason: reasonOf(form),
    });
    return `${title} belongs to ${nameOf(course.instructor)}.`;
  },
});

const COLUMNS: Column<CourseSummary>[] = [
  {
    head: 'Course',
    cell: ({ title, category, level }) => (
      <>
        <strong>{title}</strong>
        <small>
          {category} · {level}
        </small>
      </>
    ),
  },
  {
    head: 'Instructor',
    cell: ({ instructor }) => <a href={to(`/members/${instructor.id}`)}>{nameOf(instructor)}</a>,
  },
  {
    head: 'Price',
    isNumber: true,
    cell: ({ price, currency }) => (price ? `${count(price)} ${currency}` : 'free'),
  },
  { head: 'Enrolled', isNumber: true, cell: ({ enrolledCount }) => count(enrolledCount) },
  {
    head: 'Lessons',
    cell: ({ lessonCount, duration: seconds }) =>
      lessonCount > 0 && `${count(lessonCount)}, ${duration(seconds)}`,
  },
  {
    head: 'State',
    cell: ({ status }) => <Tag tone={status === 'draft' ? 'warn' : 'none'}>{status}</Tag>,
  },
  { head: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    head: '',
    cell: (row) => (
      <span class="row-acts">
        {row.status !== 'published' && <ActButton act={move(row, 'published')} />}
        <Menu
          acts={[
            ...(row.status === 'published' ? [move(row, 'draft')] : []),
            ...(row.status === 'archived' ? [] : [move(row, 'archived')]),
            passOn(row),
            remove(row),
          ]}
        />
      </span>
    ),
  },
];

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    none: 'published',
    values: STATUSES.map((one) => [one, one]),
  },
  {
    kind: 'choice',
    name: 'level',
    label: 'Level',
    values: ['beginner', 'intermediate', 'advanced'].map((one) => [one, one]),
  },
  { kind: 'link', name: 'instructorId', label: 'Instructor' },
];

export default function Courses() {
  return (
    <Page title="Content">
      <Listing
        operation={listCourses}
        filters={FILTERS}
        what="The courses"
        caption="Courses, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No course is like this."
        file="courses"
      />
    </Page>
  );
}
