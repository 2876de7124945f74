import { listAccessRequests, type QueuedAccessRequest } from '@platform-api/sdk';
import { useMemo } from 'preact/hooks';
import type { Api } from '../api.ts';
import { outcomesOf, succeeded } from '../last-action.ts';
import { type Action, ActionButton, reasonOf } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Age, Person, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { plural } from '../text.ts';

const VERBS = { approved: 'Approve', denied: 'Deny', pending: 'Reopen' };
type Status = keyof typeof VERBS;

const WITHDRAWN =
  'An indicator that the approval granted is revoked at once, also at the charting platform, and the member is told that it ended.';

async function decide(
  api: Api,
  row: QueuedAccessRequest,
  decision: { status: Status; reason: string },
): Promise<string> {
  const { entitlementWarning } = await api.marketplace.decideAccessRequest(row.id, {
    ...decision,
    expectedStatus: row.status,
  });
  return entitlementWarning ?? decision.status;
}

const whose = ({ productName, fullName }: QueuedAccessRequest): string => `${productName} for ${fullName}`;

const decision = (rows: QueuedAccessRequest[], status: Status, isShort = false): Action => {
  const [first] = rows;
  const object = rows.length === 1 && first ? whose(first) : plural(rows.length, 'request');
  const verb = VERBS[status];
  const isWithdrawn = status === 'pending' && rows.some((row) => row.status === 'approved');
  return {
    name: isShort ? verb : `${verb} ${rows.length}`,
    title: `${verb} ${object}`,
    confirmLabel: rows.length === 1 ? verb : `${verb} ${rows.length}`,
    isDangerous: status === 'denied' || isWithdrawn,
    reason: status === 'pending' ? 'shown' : 'told',
    ...(isWithdrawn && { note: WITHDRAWN }),
    openings:
      status === 'denied'
        ? ['no purchase found under this e-mail', 'unknown charting name']
        : ['paid, checked'],
    run: async (form, api) => {
      const reason = reasonOf(form);
      if (rows.length === 1 && first) return `${object}: ${await decide(api, first, { status, reason })}.`;
      const ids = rows.map(({ id }) => id);
      const results = await api.marketplace.decideAccessRequests({
        ids,
        status,
        reason,
        ...(rows.every((row) => row.status === first?.status) && first && { expectedStatus: first.status }),
      });
      const outcomes = outcomesOf(
        rows,
        results.map((result) => ({ ...result, status: result.entitlementWarning ?? result.status })),
        whose,
      );
      return { sentence: `${verb}: ${succeeded(outcomes)}.`, outcomes };
    },
  };
};

const TONES = { pending: 'warn', approved: 'ok', denied: 'none' } as const;

const COLUMNS: Column<QueuedAccessRequest>[] = [
  {
    head: 'Member',
    cell: ({ userId, fullName, accountEmail, email }) => (
      <Person id={userId} name={fullName} email={accountEmail ?? email} />
    ),
  },
  {
    head: 'Product',
    isText: true,
    cell: ({ productName, chartingId }) => (
      <>
        {productName}
        {chartingId && <small>charting name {chartingId}</small>}
      </>
    ),
  },
  {
    head: 'Answers',
    isText: true,
    cell: ({ answers }) =>
      answers.map(({ key, label, value }) => (
        <small key={key}>
          {/[?:]$/.test(label) ? label : `${label}:`} {String(value)}
        </small>
      )),
  },
  {
    head: 'State',
    isText: true,
    cell: ({ status, reason }) => (
      <>
        <Tag tone={TONES[status]}>{status}</Tag>
        {reason && <small>“{reason}”</small>}
      </>
    ),
  },
  {
    head: 'Asked',
    cell: ({ createdAt, status }) =>
      status === 'pending' ? <Age at={createdAt} /> : <Time at={createdAt} />,
  },
  {
    head: '',
    cell: (row) => (
      <>
        {row.status === 'pending' ? (
          <>
            <ActionButton action={decision([row], 'approved', true)} />
            <ActionButton action={decision([row], 'denied', true)} />
          </>
        ) : (
          <ActionButton action={decision([row], 'pending', true)} />
        )}
      </>
    ),
  },
];

export default function Requests() {
  const { data: products } = useQuery('products', (by, signal) => by.marketplace.listAllProducts({ signal }));
  const filters = useMemo(
    (): Filter[] => [
      { kind: 'search', name: 'search', label: 'Name, e-mail or charting name' },
      {
        kind: 'choice',
        name: 'status',
        label: 'State',
        values: [
          ['pending', 'pending'],
          ['approved', 'approved'],
          ['denied', 'denied'],
        ],
      },
      {
        kind: 'choice',
        name: 'productId',
        label: 'Product',
        values: (products ?? []).map(({ id, name }) => [id, name]),
      },
    ],
    [products],
  );
  return (
    <Page title="Marketplace">
      <Listing
        operation={listAccessRequests}
        filters={filters}
        pollMs={15_000}
        what="The requests"
        caption="Access requests, most recently changed first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No requests to show."
        file="access-requests"
        bulk={{
          nameOf: whose,
          actions: (rows) => (
            <>
              <ActionButton action={decision(rows, 'approved')} class="primary" />
              <ActionButton action={decision(rows, 'denied')} />
            </>
          ),
        }}
      />
    </Page>
  );
}
