import { listMailSuppressions, type MailSuppression } from '@platform-api/sdk';
import { type Action, ActionButton, reasonOf } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';

const allow = ({ email, kind }: MailSuppression): Action => ({
  name: 'Allow',
  title: `Send mail to ${email} again`,
  confirmLabel: 'Allow mail',
  note:
    kind === 'complaint'
      ? 'Its owner reported our mail as unwanted. Allow it only if they asked for that.'
      : 'If mail bounces again, the address is suppressed again.',
  openings: ['the member asked for mail again', 'the mailbox works again'],
  run: async (form, api) => {
    await api.mail.deleteSuppression(email, { reason: reasonOf(form) });
    return `${email} gets mail again.`;
  },
});

const COLUMNS: Column<MailSuppression>[] = [
  { head: 'Address', isText: true, cell: ({ email }) => <strong>{email}</strong> },
  { head: 'Why', cell: ({ kind }) => <Tag tone={kind === 'complaint' ? 'bad' : 'warn'}>{kind}</Tag> },
  { head: 'What the mail service said', isText: true, cell: ({ reason }) => reason },
  { head: 'Reported', cell: ({ reportedAt }) => <Time at={reportedAt} /> },
  {
    head: '',
    cell: (row) => (
      <>
        <ActionButton action={allow(row)} />
      </>
    ),
  },
];

const FILTERS: Filter[] = [{ kind: 'search', name: 'email', label: 'Address' }];

export default function Suppressions() {
  return (
    <Page title="Notifications">
      <Listing
        operation={listMailSuppressions}
        filters={FILTERS}
        what="The suppressed addresses"
        caption="Addresses that get no mail, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No address is suppressed."
        file="mail-suppressions"
      />
    </Page>
  );
}
