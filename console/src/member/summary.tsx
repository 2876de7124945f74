import type { UserOverview } from '@platform-api/sdk';
import { AuditCard } from '../parts/audit-card.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { List } from '../parts/table.tsx';
import { Id, Tag, Time } from '../parts/values.tsx';
import { readRows } from '../query.ts';
import { to } from '../router.ts';
import { count, platformName, relative, usd } from '../text.ts';
import { accessInWords } from './access.ts';
import { Devices, GrantRows, LastErrors, LastSessions, timesOf } from './lists.tsx';
import { Written } from './written.tsx';

interface Part {
  of: UserOverview;
}

/** A member's access, money and recent actions by administrators, which answer most support questions. */
export const Summary = ({ of }: Part) => (
  <div class="columns">
    <div>
      <AccessCard of={of} />
      <LastErrors of={of} />
      <Card title="Indicators" more={<a href={to(`/members/${of.user.id}`, { tab: 'grants' })}>All</a>}>
        <GrantRows of={of} />
      </Card>
      <LastSessions of={of} />
    </div>
    <div>
      <WalletCard of={of} />
      <PersonCard of={of} />
      <ModerationCard of={of} />
      <Devices of={of} />
      <AuditCard
        title="Audit"
        target={of.user.id}
        limit={5}
        empty="No administrator has touched this member."
      />
    </div>
  </div>
);

/** Whether a sign-in works depends on where it comes from while those of some address are throttled. */
const AccessCard = ({ of: { access, throttledSignIns } }: Part) => (
  <Card title="Access per platform">
    <List
      query={readRows(access ?? [])}
      what="The access"
      caption="Where this member can sign in, and why not elsewhere"
      keyOf={({ platform }) => platform}
      empty="The directory of customers is away."
      columns={[
        { head: 'Platform', cell: ({ platform }) => <strong>{platformName(platform)}</strong> },
        {
          head: 'Access',
          cell: ({ allowed, reason }) => (
            <span title={reason}>
              {allowed && throttledSignIns.length > 0 ? (
                <Tag tone="warn">not from everywhere</Tag>
              ) : (
                <Tag tone={allowed ? 'ok' : reason === 'no_sku' ? 'none' : 'bad'}>
                  {allowed ? 'yes' : 'no'}
                </Tag>
              )}
            </span>
          ),
        },
        {
          head: 'Why',
          cell: (verdict) => accessInWords(verdict, verdict.until ? relative(verdict.until) : ''),
        },
        { head: 'Until', cell: ({ until }) => <Time at={until} /> },
      ]}
    />
  </Card>
);

const WalletCard = ({ of: { wallet, user } }: Part) => (
  <Card title="Wallet" more={<a href={to(`/members/${user.id}`, { tab: 'wallet' })}>Statement</a>}>
    {wallet ? (
      <>
        <p class="figure">{count(wallet.balance)} Keys</p>
        <p class="dim">
          {usd(wallet.balanceUSD)}
          {wallet.heldKeys > 0 && ` · ${count(wallet.heldKeys)} held for withdrawals`} ·{' '}
          {wallet.locked ? 'locked' : 'not locked'}
        </p>
        <ul class="plain-list">
          {wallet.pendingWithdrawals.slice(0, 3).map(({ transactionId, amount }) => (
            <li key={transactionId}>
              <a href={to(`/transactions/${transactionId}`)}>Withdrawal</a> <Tag tone="warn">pending</Tag>
              <strong>{`−${count(amount)}`}</strong>
            </li>
          ))}
        </ul>
      </>
    ) : (
      <p class="empty">No wallet was made yet.</p>
    )}
  </Card>
);

const PersonCard = ({ of: { user, factors } }: Part) => (
  <Card title="Person">
    <Facts
      of={[
        ['Username', user.username],
        ['Permissions', user.permissions.join(', ') || 'none'],
        ['Customer id', user.customerId ? <Id key="customer" id={user.customerId} /> : 'none'],
        [
          'Signs in by',
          factors.map(({ kind, since }) => (since ? `${kind}, since ${relative(since)}` : kind)).join(', ') ||
            'nothing',
        ],
        ['E-mail', user.emailVerified ? 'verified' : 'not verified'],
        ['State', user.isActive ? 'active' : 'deactivated'],
        ['Changed', <Time key="changed" at={user.updatedAt} />],
      ]}
    />
  </Card>
);

const ModerationCard = ({ of: { mute, rooms, reports, user } }: Part) => (
  <Card title="Moderation" more={<a href={to(`/members/${user.id}`, { tab: 'reports' })}>Reports</a>}>
    <Facts
      of={[
        [
          'Everywhere',
          mute ? (
            <span key="mute">
              muted, ends <Time at={mute.until} />
            </span>
          ) : (
            'not muted'
          ),
        ],
        [
          'Muted in',
          rooms.muted.length === 0
            ? 'no room'
            : rooms.muted.map(({ roomId, name, until }) => (
                <span key={roomId} class="entry">
                  <a href={to(`/chatrooms/${roomId}`)}>{name}</a> (ends <Time at={until} />){' '}
                </span>
              )),
        ],
        [
          'Banned from',
          rooms.banned.length === 0
            ? 'no room'
            : rooms.banned.map(({ roomId, name }) => (
                <a key={roomId} class="entry" href={to(`/chatrooms/${roomId}`)}>
                  {name}
                </a>
              )),
        ],
        ['Has written', <Written key="written" id={user.id} />],
        ['Reported', timesOf(reports.totals.against)],
        ['Has reported', timesOf(reports.totals.by)],
      ]}
    />
  </Card>
);
