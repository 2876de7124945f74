import { type ListedAccount, listUsersAsAdmin } from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { type Action, ActionButton, Field, filled, reasonOf, textOf } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import { totalOf } from '../parts/pager.tsx';
import type { Column } from '../parts/table.tsx';
import { Keys, Person, Tag, Time } from '../parts/values.tsx';
import { mayDo, session } from '../session.ts';
import { useStore } from '../store.ts';
import { nameOf, platformName } from '../text.ts';

const COLUMNS: Column<ListedAccount>[] = [
  { head: 'Member', cell: (row) => <Person id={row.id} name={nameOf(row)} email={row.email} /> },
  {
    head: 'Bought',
    cell: ({ skus }) => skus.slice(0, 2).join(', ') + (skus.length > 2 ? ` and ${skus.length - 2} more` : ''),
  },
  { head: 'Keys', isNumber: true, cell: ({ balance }) => <Keys of={balance} /> },
  { head: 'Seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { head: 'Joined', sorts: ['oldest', 'newest'], cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'State',
    cell: ({ isActive, permissions }) => (
      <>
        {isActive ? <Tag tone="none">active</Tag> : <Tag tone="bad">deactivated</Tag>}
        {permissions.length > 0 && <small>{permissions.join(', ')}</small>}
      </>
    ),
  },
];

const PLATFORMS = ['app', 'livestream', 'scanners', 'web', 'backoffice'];
const PERMISSIONS = ['admin', 'moderator', 'educator', 'read_users'];

const FILTERS: Filter[] = [
  { kind: 'search', name: 'search', label: 'Name, e-mail, username or id' },
  {
    kind: 'choice',
    name: 'isActive',
    label: 'State',
    values: [
      ['true', 'active'],
      ['false', 'deactivated'],
    ],
  },
  {
    kind: 'choice',
    name: 'unverified',
    label: 'E-mail',
    values: [
      ['true', 'not verified'],
      ['false', 'verified'],
    ],
  },
  {
    kind: 'choice',
    name: 'platform',
    label: 'Can open',
    values: PLATFORMS.map((one) => [one, platformName(one)]),
  },
  { kind: 'choice', name: 'permissions', label: 'Permission', values: PERMISSIONS.map((one) => [one, one]) },
  { kind: 'date', name: 'createdFrom', label: 'Joined from' },
  { kind: 'date', name: 'seenBefore', label: 'Not seen since' },
  { kind: 'link', name: 'sku', label: 'Bought' },
];

const ADD: Action = {
  name: 'Add member',
  title: 'Add a member',
  fields: (
    <>
      <Field label="E-mail">
        <input name="email" type="email" maxLength={254} required />
      </Field>
      <Field label="First name">
        <input name="firstName" maxLength={100} required />
      </Field>
      <Field label="Last name">
        <input name="lastName" maxLength={100} required />
      </Field>
    </>
  ),
  note: 'Without a password, they set one with the code that a password reset sends.',
  run: async (form, api) => {
    const { email } = await api.users.create({
      email: textOf(form, 'email'),
      firstName: textOf(form, 'firstName'),
      lastName: textOf(form, 'lastName'),
      ...filled(form, 'username'),
      reason: reasonOf(form),
    });
    return `Added ${email}.`;
  },
};

export default function Members() {
  const [total, setTotal] = useState('');
  const isAdmin = mayDo(useStore(session), 'admin');
  return (
    <Page
      title="Members"
      beside={total && `${total} match`}
      actions={isAdmin && <ActionButton action={ADD} />}
    >
      <Listing
        operation={listUsersAsAdmin}
        filters={FILTERS}
        what="The members"
        caption="Members"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No member matches. Check the spelling, or clear the filters."
        file="members"
        onRead={(page) => setTotal(totalOf(page))}
      />
    </Page>
  );
}
