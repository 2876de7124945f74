import { getMember, type Profile } from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { ActionButton } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Failed, Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Time } from '../parts/values.tsx';
import { isMissing, type Query, useQuery } from '../query.ts';
import { to } from '../router.ts';
import { mayDo, session } from '../session.ts';
import { initials, nameOf } from '../text.ts';
import { mayBeMuted, muteAction, unmuteAction } from './mute-actions.tsx';
import { Written } from './written.tsx';

const above = { href: to('/'), text: 'Overview' };

/** A member's page for operators without `admin`: the public profile, and what their permissions add to it. */
export function LimitedMember({ id }: { id: string }) {
  const [current] = useState(session.get);
  const read = useQuery(id, (by, signal) => by.call(getMember, { params: { id } }, { signal }));
  const { data } = read;
  const isModerator = mayDo(current, 'moderator');
  const maySeeAccount = mayDo(current, 'read_users');
  const account = useQuery(`account ${id}`, async (by, signal) =>
    maySeeAccount ? (await by.users.listUsers({ search: id, limit: 1 }, { signal })).items[0] : undefined,
  );
  if (!data && isMissing(read.error))
    return (
      <Page title="Member" above={above} beside={<Id id={id} />}>
        <Note tone="info">
          There is no such account: it was erased, or the id is wrong.{' '}
          {isModerator && (
            <>
              What an erased member has published stays: <Written id={id} />.
            </>
          )}
        </Note>
      </Page>
    );
  if (!data)
    return <Pending title="Member" above={above} beside={<Id id={id} />} what="The member" of={read} />;
  const one = { id, name: nameOf(data) };
  const { mutedUntil } = data;
  const isRead = !maySeeAccount || account.data !== undefined || account.error !== undefined;
  const isMutable = isRead && mayBeMuted(id, account.data?.permissions);
  const actions = isModerator && (
    <>
      {mutedUntil && <ActionButton action={unmuteAction(one)} />}
      {!mutedUntil && isMutable && <ActionButton action={muteAction(one)} />}
    </>
  );
  return (
    <Page
      title={one.name}
      above={above}
      before={
        <span class="face large" aria-hidden="true">
          {initials(one.name)}
        </span>
      }
      beside={<Id id={id} />}
      actions={actions}
    >
      <Note tone="info">
        Access, wallet, errors and sessions need the permission admin. An administrator can give it to you.
      </Note>
      <Card title="Person">
        <Facts
          of={[
            ['Username', data.username],
            ['Educator', data.isEducator ? 'yes' : 'no'],
            [
              'Muted',
              mutedUntil && (
                <>
                  ends <Time key="muted" at={mutedUntil} />
                </>
              ),
            ],
            ['Has written', isModerator && <Written key="written" id={id} />],
          ]}
        />
        {maySeeAccount && <Account of={account} />}
      </Card>
    </Page>
  );
}

/** The account's fields, which holders of `read_users` see in addition. */
function Account({ of: { data: account, error, reload } }: { of: Query<Profile | undefined> }) {
  if (error !== undefined)
    return <Failed what="The account could not be read" error={error} retry={reload} />;
  if (!account) return null;
  const { email, permissions, customerId, isActive, createdAt } = account;
  return (
    <Facts
      of={[
        ['E-mail', email],
        ['Permissions', permissions.join(', ') || 'none'],
        ['Customer id', customerId],
        ['State', isActive ? 'active' : 'deactivated'],
        ['Joined', <Time key="joined" at={createdAt} />],
      ]}
    />
  );
}
