import { type Educator, listEducators } from '@platform-api/sdk';
import { changedIn, NOTHING_CHANGED } from '../changes.ts';
import { type Action, ActionButton, reasonOf } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count, nameOf } from '../text.ts';

const mark = (of: Educator): Action => ({
  name: 'Change',
  title: `Change the marks of ${nameOf(of)}`,
  confirmLabel: 'Save',
  fields: (
    <>
      <label class="check">
        <input type="checkbox" name="isVerified" defaultChecked={of.isVerified} /> Verified
      </label>
      <label class="check">
        <input type="checkbox" name="featured" defaultChecked={of.featured} /> Featured
      </label>
    </>
  ),
  run: async (form, api) => {
    const { isVerified, featured } = of;
    const typed = { isVerified: form.has('isVerified'), featured: form.has('featured') };
    const changed = changedIn({ isVerified, featured }, typed);
    if (Object.keys(changed).length === 0) return NOTHING_CHANGED;
    const body = { ...changed, expectedUpdatedAt: of.updatedAt, reason: reasonOf(form) };
    await api.educators.mark(of.id, body);
    return `Saved the marks of ${nameOf(of)}.`;
  },
});

const COLUMNS: Column<Educator>[] = [
  {
    head: 'Educator',
    isText: true,
    cell: (row) => (
      <>
        <a href={to(`/educators/${row.id}`)}>{nameOf(row)}</a>
        <small>{row.educatorTitle ?? row.specialty}</small>
      </>
    ),
  },
  { head: 'Followers', isNumber: true, cell: ({ followerCount }) => count(followerCount) },
  {
    head: 'Courses',
    isNumber: true,
    cell: ({ id, courseCount }) => <a href={to('/courses', { instructorId: id })}>{count(courseCount)}</a>,
  },
  { head: 'Rating', isNumber: true, cell: ({ rating }) => rating > 0 && rating.toFixed(1) },
  {
    head: 'Marks',
    cell: ({ isVerified, featured }) => (
      <>
        {isVerified && <Tag tone="ok">verified</Tag>}
        {isVerified && featured && ' '}
        {featured && <Tag tone="info">featured</Tag>}
      </>
    ),
  },
  { head: '', cell: (row) => <ActionButton action={mark(row)} /> },
];

const FILTERS: Filter[] = [
  { kind: 'search', name: 'search', label: 'Name' },
  { kind: 'choice', name: 'featured', label: 'Featured', values: [['true', 'yes']] },
];

export default function Educators() {
  return (
    <Page title="Content">
      <Listing
        operation={listEducators}
        filters={FILTERS}
        what="The educators"
        caption="Educators, whose announcements and stories their pages show"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No educators to show."
        file="educators"
      />
    </Page>
  );
}
