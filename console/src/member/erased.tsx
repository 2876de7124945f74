import { Actor } from '../parts/actor.tsx';
import { AuditCard } from '../parts/audit-card.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Time } from '../parts/values.tsx';
import { isMissing, type Query, useQuery } from '../query.ts';
import { to } from '../router.ts';
import { Written } from './written.tsx';

const above = { href: to('/members'), text: 'Members' };

/** A page of a member who cannot be read: what is left of them if the account was erased. */
export function MissingMember({ id, read }: { id: string; read: Query<unknown> }) {
  const isGone = isMissing(read.error);
  const erasure = useQuery(`erasure of ${id} ${isGone}`, async (by, signal) => {
    if (!isGone) return null;
    const { items } = await by.audit.list({ target: id, action: 'user.deleted', limit: 1 }, { signal });
    return items[0] ?? null;
  });
  const { data: entry, isLoading } = erasure;
  if (!entry)
    return (
      <Pending
        title="Member"
        above={above}
        beside={<Id id={id} />}
        what="The member"
        of={isGone && isLoading ? { ...read, error: undefined } : read}
      />
    );
  const isOwn = entry.actor === id;
  return (
    <Page title="Erased member" above={above} beside={<Id id={id} />}>
      <Note tone="info">
        <strong>The account was erased</strong> <Time at={entry.createdAt} />,{' '}
        {isOwn ? (
          'by the member'
        ) : (
          <>
            by <Actor {...entry} />
          </>
        )}
        . Names, addresses, sessions and purchases are gone and cannot be brought back. What follows stays,
        without a name.
      </Note>
      <Card title="What is kept">
        <Facts
          of={[
            ['Ledger', <KeptMoney key="ledger" id={id} />],
            ['Published', <Written key="written" id={id} />],
            [
              'Failures',
              <a key="errors" href={to('/errors', { userId: id })}>
                Errors of the last days
              </a>,
            ],
            [
              'Audit log',
              <a key="acts" href={to('/audit', { actor: id })}>
                What they did as an operator
              </a>,
            ],
          ]}
        />
      </Card>
      <AuditCard title="What was done to the account" target={id} limit={10} empty="Nothing is recorded." />
    </Page>
  );
}

const KeptMoney = ({ id }: { id: string }) => (
  <>
    <a href={to('/transactions', { userId: id })}>Transactions</a>,{' '}
    <a href={to('/withdrawals', { userId: id })}>withdrawals</a>,{' '}
    <a href={to('/checkouts', { userId: id })}>checkouts</a>
  </>
);
