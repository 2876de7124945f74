import type { Account, InspectedWallet } from '@platform-api/sdk';
import { isPlatformError } from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Card, Facts } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Failed, Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { List, Loading } from '../parts/table.tsx';
import { Id, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { count, usd } from '../text.ts';

const above = { href: to('/'), text: 'Members' };
type Act = 'fund' | 'lock' | 'deactivate';

export default function MemberPage({ id }: { id: string }) {
  const member = useQuery(id, (by, signal) => by.users.get(id, { signal }));
  const wallet = useQuery(`wallet ${id}`, (by, signal) => walletOf(by.wallet.get(id, { signal })));
  const [act, setAct] = useState<Act>();
  const [done, setDone] = useState('');
  const { data, error } = member;
  if (!data)
    return (
      <Page title="Member" above={above} beside={<Id id={id} />}>
        {error === undefined ? (
          <Loading />
        ) : (
          <Failed what="The member could not be read" error={error} retry={member.reload} />
        )}
      </Page>
    );
  const name = `${data.firstName} ${data.lastName}`.trim() || 'Erased member';
  const finish = (sentence: string) => {
    setAct(undefined);
    setDone(sentence);
    member.reload();
    wallet.reload();
  };
  return (
    <Page
      title={name}
      above={above}
      beside={
        <>
          {data.email} · <Id id={id} /> · joined <Time at={data.createdAt} />
        </>
      }
      acts={
        <>
          {wallet.data && (
            <>
              <button type="button" onClick={() => setAct('fund')}>
                Fund
              </button>
              <button type="button" onClick={() => setAct('lock')}>
                {wallet.data.locked ? 'Unlock wallet' : 'Lock wallet'}
              </button>
            </>
          )}
          <button type="button" onClick={() => setAct('deactivate')}>
            {data.isActive ? 'Deactivate' : 'Activate'}
          </button>
        </>
      }
    >
      {done && (
        <Note tone="ok" appears>
          {done}
        </Note>
      )}
      {!data.isActive && (
        <Note tone="bad">
          <strong>Cannot sign in anywhere.</strong> The account is deactivated.
        </Note>
      )}
      <div class="columns">
        <div>
          <Purchases id={id} />
          <Errors id={id} />
          <Sessions id={id} />
        </div>
        <div>
          <WalletCard wallet={wallet.data} error={wallet.error} reload={wallet.reload} />
          <PersonCard member={data} />
          <Acts id={id} />
        </div>
      </div>
      {act && (
        <Acting
          act={act}
          member={data}
          wallet={wallet.data ?? undefined}
          name={name}
          onDone={finish}
          onClose={() => setAct(undefined)}
        />
      )}
    </Page>
  );
}

/** Returns null for members who have no wallet yet. */
async function walletOf(asked: PromiseLike<InspectedWallet>): Promise<InspectedWallet | null> {
  try {
    return await asked;
  } catch (error) {
    if (isPlatformError(error) && error.code === 'WALLET_NOT_FOUND') return null;
    throw error;
  }
}

function WalletCard({
  wallet,
  error,
  reload,
}: {
  wallet: InspectedWallet | null | undefined;
  error: unknown;
  reload: () => void;
}) {
  return (
    <Card title="Wallet">
      {error !== undefined && <Failed what="The wallet could not be read" error={error} retry={reload} />}
      {wallet === null && <p class="empty">No wallet was made yet.</p>}
      {wallet && (
        <>
          <p class="figure">{count(wallet.balance)} Keys</p>
          <p class="dim">
            {usd(wallet.balanceUSD)} · {count(wallet.heldKeys)} held for withdrawals ·{' '}
            {wallet.locked ? 'locked' : 'not locked'}
          </p>
          {wallet.locked && wallet.lockedReason && <p>Locked: “{wallet.lockedReason}”</p>}
        </>
      )}
    </Card>
  );
}

const PersonCard = ({ member }: { member: Account }) => (
  <Card title="Person">
    <Facts
      of={[
        ['Username', member.username],
        ['Permissions', member.permissions.join(', ') || 'none'],
        ['Customer id', member.customerId ?? 'none'],
        ['Changed', <Time key="changed" at={member.updatedAt} />],
      ]}
    />
  </Card>
);

function Purchases({ id }: { id: string }) {
  const purchases = useQuery(id, (by, signal) => by.users.listPurchases(id, { limit: 5 }, { signal }));
  return (
    <Card title="Purchases">
      <List
        query={purchases}
        what="The purchases"
        caption="Purchases, newest first"
        keyOf={(purchase) => purchase.id}
        empty="Never bought anything."
        columns={[
          {
            head: 'Product',
            cell: ({ productName, sku }) => (
              <>
                {productName}
                <small>{sku}</small>
              </>
            ),
          },
          { head: 'Bought', cell: ({ lastPurchasedDate }) => <Time at={lastPurchasedDate} /> },
        ]}
      />
    </Card>
  );
}

function Errors({ id }: { id: string }) {
  const errors = useQuery(id, (by, signal) => by.errors.list({ userId: id, limit: 5 }, { signal }));
  return (
    <Card title="Last errors" more={<a href={to('/errors', { userId: id })}>All</a>}>
      <List
        query={errors}
        what="The errors"
        caption="Last errors of this member"
        keyOf={({ errorId }) => errorId}
        empty="No errors."
        columns={[
          {
            head: 'Error',
            cell: ({ errorId, errorCode, errorMessage }) => (
              <>
                <a href={to(`/errors/${errorId}`)}>{errorCode}</a>
                <small>{errorMessage}</small>
              </>
            ),
          },
          { head: 'Operation', cell: ({ operation }) => operation },
          { head: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
        ]}
      />
    </Card>
  );
}

function Sessions({ id }: { id: string }) {
  const sessions = useQuery(id, (by, signal) => by.users.listSessions(id, { limit: 10 }, { signal }));
  return (
    <Card title="Sessions">
      <List
        query={sessions}
        what="The sessions"
        caption="Where this member is signed in"
        keyOf={(session) => session.id}
        empty="Signed in nowhere."
        columns={[
          {
            head: 'Where',
            cell: ({ platform, device }) => (
              <>
                <Tag tone="none">{platform}</Tag> {device}
              </>
            ),
          },
          { head: 'Address', cell: ({ address }) => address },
          { head: 'Used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
        ]}
      />
    </Card>
  );
}

function Acts({ id }: { id: string }) {
  const entries = useQuery(id, (by, signal) => by.audit.list({ target: id, limit: 5 }, { signal }));
  return (
    <Card title="Audit" more={<a href={to('/audit', { target: id })}>All</a>}>
      <List
        query={entries}
        what="The audit log"
        caption="What was done to this member"
        keyOf={(entry) => entry.id}
        empty="No administrator has touched this member."
        columns={[
          {
            head: 'Act',
            cell: ({ action, actorEmail, actor }) => (
              <>
                {action}
                <small>{actorEmail ?? actor}</small>
              </>
            ),
          },
          { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Card>
  );
}

interface ActingParts {
  act: Act;
  member: Account;
  wallet: InspectedWallet | undefined;
  name: string;
  onDone: (sentence: string) => void;
  onClose: () => void;
}

function Acting({ act, member, wallet, name, ...common }: ActingParts) {
  if (act === 'fund')
    return (
      <Confirm
        title={`Fund the wallet of ${name}`}
        act="Fund"
        run={async (form, key) => {
          const amount = Number(form.get('amount'));
          const { wallet: after } = await api.wallet.fund(
            { userId: member.id, amount, reason: reasonOf(form) },
            { idempotencyKey: key },
          );
          return `Funded ${count(amount)} Keys. The balance of ${name} is ${count(after.balance)}.`;
        }}
        {...common}
      >
        <Facts of={[['Balance', `${count(wallet?.balance ?? 0)} Keys`]]} />
        <label class="field">
          Keys
          <input name="amount" type="number" min={1} step={1} required autoFocus />
        </label>
        <Reason />
      </Confirm>
    );
  if (act === 'lock') {
    const locked = !wallet?.locked;
    return (
      <Confirm
        title={`${locked ? 'Lock' : 'Unlock'} the wallet of ${name}`}
        act={locked ? 'Lock wallet' : 'Unlock wallet'}
        run={async (form) => {
          const lockedReason = reasonOf(form);
          await api.wallet.change(
            member.id,
            locked ? { locked, lockedReason, reason: lockedReason } : { locked, reason: reasonOf(form) },
          );
          return `The wallet of ${name} is ${locked ? 'locked' : 'not locked any longer'}.`;
        }}
        {...common}
      >
        <p>{locked ? 'No Keys leave or reach a locked wallet.' : 'Keys can be moved again.'}</p>
        <Reason />
      </Confirm>
    );
  }
  const isActive = !member.isActive;
  return (
    <Confirm
      title={`${isActive ? 'Activate' : 'Deactivate'} ${name}`}
      act={isActive ? 'Activate' : 'Deactivate'}
      isDangerous={!isActive}
      run={async (form) => {
        await api.users.update(member.id, { isActive, reason: reasonOf(form) });
        return `${name} is ${isActive ? 'active' : 'deactivated'}.`;
      }}
      {...common}
    >
      <p>
        {isActive
          ? 'They can sign in again wherever their purchases allow it.'
          : 'All their sessions end at once, and they cannot sign in. Nothing is deleted.'}
      </p>
      <Reason />
    </Confirm>
  );
}

const reasonOf = (form: FormData): string => String(form.get('reason'));

const Reason = () => (
  <label class="field">
    Reason
    <input name="reason" required minLength={8} maxLength={200} />
    <small>Kept in the audit log.</small>
  </label>
);
