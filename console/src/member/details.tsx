import {
  listAudit,
  listNotificationsOfUser,
  listPurchases,
  listSessionsOfUser,
  type UserOverview,
} from '@platform-api/sdk';
import { type Action, ActionButton, reasonOf } from '../parts/action.tsx';
import { ActorCell } from '../parts/actor.tsx';
import { Listing } from '../parts/listing.tsx';
import { Tag, Time, Titled } from '../parts/values.tsx';
import { platformName, words } from '../text.ts';
import { Exports } from './exports.tsx';
import { Grants, Reports } from './lists.tsx';
import { Statement } from './statement.tsx';

const reportsOf = ({ totals: { against, by } }: UserOverview['reports']): string =>
  `${against.total + by.total}${against.totalIsExact && by.totalIsExact ? '' : '+'}`;

/** The tabs of a member's page; each is selected by `?tab=`. */
export const tabsOfMember = ({
  sessions,
  grants,
  reports,
}: UserOverview): [tab: string, text: string, count?: number | string][] => [
  ['', 'Summary'],
  ['wallet', 'Wallet'],
  ['sessions', 'Sessions', sessions.length],
  ['purchases', 'Purchases'],
  ['grants', 'Grants', grants.length],
  ['notifications', 'Notifications'],
  ['reports', 'Reports', reportsOf(reports)],
  ['export', 'Export'],
  ['audit', 'Audit'],
];

export function Details({ tab, of }: { tab: string; of: UserOverview }) {
  const { id } = of.user;
  if (tab === 'grants') return <Grants of={of} />;
  if (tab === 'reports') return <Reports of={of} />;
  if (tab === 'wallet')
    return of.wallet ? <Statement id={id} /> : <p class="card empty">No wallet was made yet.</p>;
  if (tab === 'sessions') return <Sessions id={id} />;
  if (tab === 'purchases') return <Purchases id={id} />;
  if (tab === 'notifications') return <Told id={id} />;
  if (tab === 'export') return <Exports id={id} />;
  return <Actions id={id} />;
}

const endSession = (id: string, session: string, where: string): Action => ({
  name: 'End',
  title: `End the session on ${where}`,
  confirmLabel: 'End session',
  openings: ['lost device, '],
  note: 'They can sign in again at once.',
  run: async (form, api) => {
    await api.users.endSession(id, session, { reason: reasonOf(form) });
    return `The session on ${where} has ended.`;
  },
});

const METHODS = { password: 'by password', passkey: 'by passkey', sso: 'by single sign-on' };

const Sessions = ({ id }: { id: string }) => (
  <Listing
    operation={listSessionsOfUser}
    params={{ userId: id }}
    what="The sessions"
    caption="Where this member is signed in"
    keyOf={(session) => session.id}
    empty="Signed in nowhere."
    file="sessions"
    columns={[
      {
        head: 'Where',
        cell: ({ platform, device }) => <Titled title={platformName(platform)} below={device} />,
      },
      { head: 'Browser or app', cell: ({ userAgent }) => <span class="long">{userAgent}</span> },
      { head: 'Address', cell: ({ address }) => <code>{address}</code> },
      { head: 'Signed in', cell: ({ method }) => METHODS[method] },
      { head: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { head: 'Used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
      {
        head: '',
        cell: ({ id: session, platform }) => (
          <ActionButton action={endSession(id, session, platformName(platform))} />
        ),
      },
    ]}
  />
);

const removePurchase = (id: string, purchase: string, name: string): Action => ({
  name: 'Remove',
  title: `Remove the purchase ${name}`,
  confirmLabel: 'Remove purchase',
  isDangerous: true,
  note: 'New sign-ins to what only this purchase opens are refused. Sessions that are open go on until they are ended, under Sessions. It can be recorded again.',
  run: async (form, api) => {
    await api.users.removePurchase(id, purchase, { reason: reasonOf(form) });
    return `Removed ${name}.`;
  },
});

const Purchases = ({ id }: { id: string }) => (
  <Listing
    operation={listPurchases}
    params={{ userId: id }}
    what="The purchases"
    caption="Purchases, newest first"
    keyOf={(purchase) => purchase.id}
    empty="Never bought anything."
    file="purchases"
    columns={[
      {
        head: 'Product',
        isText: true,
        cell: ({ productName, sku }) => <Titled title={productName} below={sku} />,
      },
      { head: 'Bought', cell: ({ lastPurchasedDate }) => <Time at={lastPurchasedDate} /> },
      { head: 'Recorded', cell: ({ createdAt }) => <Time at={createdAt} /> },
      {
        head: '',
        cell: ({ id: purchase, productName }) => (
          <ActionButton action={removePurchase(id, purchase, productName)} />
        ),
      },
    ]}
  />
);

const Told = ({ id }: { id: string }) => (
  <Listing
    operation={listNotificationsOfUser}
    params={{ userId: id }}
    what="The notifications"
    caption="What this member was told, newest first"
    keyOf={(row) => row.id}
    empty="Nothing was sent to this member."
    file="notifications"
    columns={[
      {
        head: 'What',
        isText: true,
        cell: ({ title, message, type }) => <Titled title={title} below={message ?? words(type)} />,
      },
      {
        head: 'Kind',
        cell: ({ type, kind }) => (kind === 'transactional' ? `${words(type)}, mail` : words(type)),
      },
      {
        head: 'Channels',
        cell: ({ deliveries }) =>
          deliveries.map(({ channel, status, lastError }) => (
            <span key={channel} class="entry" title={lastError ?? undefined}>
              {channel}{' '}
              <Tag tone={status === 'failed' || status === 'suppressed' ? 'bad' : 'none'}>{status}</Tag>
            </span>
          )),
      },
      { head: 'Read', cell: ({ read }) => read !== null && (read ? 'read' : 'not read') },
      { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
    ]}
  />
);

const Actions = ({ id }: { id: string }) => (
  <Listing
    operation={listAudit}
    fixed={{ target: id }}
    what="The audit log"
    caption="What was done to this member"
    keyOf={(entry) => entry.id}
    empty="No administrator has touched this member."
    file="audit"
    columns={[
      { head: 'Action', cell: ({ action }) => <strong>{words(action)}</strong> },
      { head: 'Who', cell: (row) => <ActorCell {...row} /> },
      { head: 'Reason', isText: true, cell: ({ reason }) => reason && `“${reason}”` },
      { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
    ]}
  />
);
