import type { UserOverview } from '@platform-api/sdk';
import { useEffect, useState } from 'preact/hooks';
import { accessInWords, lostPlatforms } from '../member/access.ts';
import { actionsOf } from '../member/actions.tsx';
import { Details, tabsOfMember } from '../member/details.tsx';
import { MissingMember } from '../member/erased.tsx';
import { LimitedMember } from '../member/limited.tsx';
import { fundAction } from '../member/money-actions.tsx';
import { Summary } from '../member/summary.tsx';
import { type Action, ActionButton, Confirm } from '../parts/action.tsx';
import { Menu } from '../parts/menu.tsx';
import { Failed, Note } from '../parts/note.tsx';
import { Page, Tabs } from '../parts/page.tsx';
import { Id, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { go, to, usePlace } from '../router.ts';
import { mayDo, session } from '../session.ts';
import { initials, nameOf, relative } from '../text.ts';

const above = { href: to('/members'), text: 'Members' };

/** Everything about a member for administrators; the fields that others may see for everybody else. */
export default function MemberPage({ id }: { id: string }) {
  // Decided once: when the sign-in ends, the page must keep what was typed into it.
  const [isAdmin] = useState(() => mayDo(session.get(), 'admin'));
  return isAdmin ? <WholeMember id={id} /> : <LimitedMember id={id} />;
}

function WholeMember({ id }: { id: string }) {
  const { tab = '' } = usePlace().query;
  const read = useQuery(id, (by, signal) => by.users.getOverview(id, { signal }), {
    pollMs: 60_000,
  });
  const { data, error, reload } = read;
  if (!data) return <MissingMember id={id} read={read} />;
  const { user } = data;
  const name = nameOf(user);
  return (
    <Page
      title={name}
      above={above}
      before={
        <span class="face large" aria-hidden="true">
          {initials(name)}
        </span>
      }
      beside={
        <>
          {user.email} · <Id id={id} /> · joined <Time at={user.createdAt} />
        </>
      }
      actions={<Actions of={data} />}
    >
      <Tabs
        label="About this member"
        of={tabsOfMember(data).map(([value, text, count]) => ({
          href: to(`/members/${id}`, { tab: value }),
          text,
          count,
          isCurrent: tab === value,
        }))}
      />
      {error !== undefined && (
        <Failed what="The member could not be read again" error={error} retry={reload} />
      )}
      <Diagnosis of={data} />
      {tab ? <Details tab={tab} of={data} /> : <Summary of={data} />}
    </Page>
  );
}

function Actions({ of: { user, wallet, mute, access } }: { of: UserOverview }) {
  const skus = [...new Set((access ?? []).flatMap(({ acceptedSkus }) => acceptedSkus))];
  const target = { member: user, wallet, mute };
  const fund = fundAction(target);
  const others = actionsOf(target, skus);
  return (
    <>
      {wallet && <ActionButton action={fund} />}
      <Menu actions={others} />
      <LinkedDialog actions={[fund, ...others]} />
    </>
  );
}

/** Opens the dialog that `?act=` names, as links of the palette do. */
function LinkedDialog({ actions }: { actions: Action[] }) {
  const { path, query } = usePlace();
  const [linkedAction, setLinkedAction] = useState<Action>();
  const latest = actions.find(({ name }) => name === linkedAction?.name) ?? linkedAction;
  const { act, ...rest } = query;
  useEffect(() => {
    if (!act) return;
    setLinkedAction(actions.find(({ name }) => name.toLowerCase().startsWith(act)));
    go(to(path, rest), { replace: true });
  }, [act]);
  return latest ? <Confirm action={latest} onClose={() => setLinkedAction(undefined)} /> : null;
}

/** The problems of an account that matter most: deactivation, lost access, refused sign-ins, a mute, a locked wallet. */
function Diagnosis({ of: { user, access, throttledSignIns, wallet, mute } }: { of: UserOverview }) {
  if (!user.isActive)
    return (
      <Note tone="bad">
        <strong>Cannot sign in anywhere.</strong> The account is deactivated.
      </Note>
    );
  const first = access?.find(({ allowed, reason }) => !allowed && reason !== 'no_sku');
  return (
    <>
      {first && (
        <Note tone="bad">
          <strong>Cannot sign in to: {lostPlatforms(access ?? [])}.</strong>{' '}
          {accessInWords(first, first.until ? relative(first.until) : '')}{' '}
          <a href={to('/errors', { userId: user.id })}>See the errors</a>
        </Note>
      )}
      {throttledSignIns.map(({ address, since, until }) => (
        <Note key={address} tone="warn">
          <strong>Sign-ins from {address} are refused</strong> after too many wrong passwords or codes, since{' '}
          <Time at={since} />. They are tried again <Time at={until} />.{' '}
          <a href={to('/errors', { userId: user.id, code: 'TOO_MANY_ATTEMPTS' })}>See the errors</a>
        </Note>
      ))}
      {mute && (
        <Note tone="warn">
          <strong>Muted everywhere.</strong> They can write again <Time at={mute.until} />.
        </Note>
      )}
      {access === null && (
        <Note tone="warn">
          <strong>Shown without access:</strong> the directory of customers is away.
        </Note>
      )}
      {wallet?.locked && (
        <Note tone="warn">
          <strong>The wallet is locked.</strong> {wallet.lockedReason && `“${wallet.lockedReason}”`}
        </Note>
      )}
    </>
  );
}
