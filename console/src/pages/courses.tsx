import { type CourseSummary, deleteCourse, listCourses, updateCourse } from '@platform-api/sdk';
import { type Action, ActionButton, reasonOf, textOf } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { MemberField } from '../parts/member-field.tsx';
import { Menu } from '../parts/menu.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count, duration, nameOf, plural } from '../text.ts';

const STATUSES = ['draft', 'published', 'archived'] as const;
const VERBS = { draft: 'Unpublish', published: 'Publish', archived: 'Archive' };

const EFFECTS = {
  draft: 'Nobody can enrol any more. Whoever is enrolled does not find it until it is published again.',
  published: 'Members see it and can enrol.',
  archived: 'Nobody can enrol any more. Whoever is enrolled keeps it, and it can be published again.',
};

const move = ({ id, title, enrolledCount }: CourseSummary, status: (typeof STATUSES)[number]): Action => ({
  name: VERBS[status],
  title: `${VERBS[status]} ${title}`,
  reason: 'told',
  facts: [['Enrolled', plural(enrolledCount, 'member')]],
  note: EFFECTS[status],
  run: async (form, api) => {
    const body = { status, reason: reasonOf(form) };
    await api.call(updateCourse, { params: { courseId: id }, body });
    return `${title} is ${status}.`;
  },
});

const remove = ({ id, title, enrolledCount }: CourseSummary): Action => ({
  name: 'Delete',
  title: `Delete ${title}`,
  confirmLabel: 'Delete course',
  isDangerous: true,
  reason: 'told',
  typed: title,
  facts: [['Enrolled', plural(enrolledCount, 'member')]],
  note: 'Its modules and lessons go with it, which cannot be undone. A course that ever had enrolments is archived instead.',
  run: async (form, api) => {
    const body = { reason: reasonOf(form) };
    const { status } = await api.call(deleteCourse, { params: { courseId: id }, body });
    return `${title} is ${status}.`;
  },
});

const passOn = ({ id, title, instructor }: CourseSummary): Action => ({
  name: 'Change owner',
  title: `Pass ${title} on to another educator`,
  confirmLabel: 'Change owner',
  facts: [['Owner now', nameOf(instructor)]],
  fields: <MemberField label="New owner" permissions="educator,admin" />,
  note: 'Members stay enrolled. From now on the new owner changes and publishes it, and is paid for enrolments.',
  openings: ['the educator has left'],
  run: async (form, api) => {
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
    isText: true,
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
    isText: true,
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
      <>
        {row.status !== 'published' && <ActionButton action={move(row, 'published')} />}
        <Menu
          actions={[
            ...(row.status === 'published' ? [move(row, 'draft')] : []),
            ...(row.status === 'archived' ? [] : [move(row, 'archived')]),
            passOn(row),
            remove(row),
          ]}
        />
      </>
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
        empty="No courses to show."
        file="courses"
      />
    </Page>
  );
}
