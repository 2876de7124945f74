import {
  type IndicatorAccess,
  type IndicatorAccessMove,
  listAllIndicatorAccess,
  listIndicatorAccess,
} from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { type Api, api, now } from '../api.ts';
import { grantTone } from '../grants.ts';
import { outcomesOf, succeeded } from '../last-action.ts';
import { type Action, ActionButton, AtOnce, reasonOf } from '../parts/action.tsx';
import { ChartingNote } from '../parts/charting-note.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Menu } from '../parts/menu.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Age, Person, Tag, Time } from '../parts/values.tsx';
import { usePlace } from '../router.ts';
import { nameOf, plural, words } from '../text.ts';

const whose = ({ user, scannerName }: IndicatorAccess): string => `${scannerName} of ${nameOf(user)}`;

const retry = async (row: IndicatorAccess, by: Api): Promise<string> => {
  const { status } = await by.indicators.retryAccess(row.scannerId, row.id);
  return words(status);
};

const resolve = (row: IndicatorAccess): Action => ({
  name: 'Mark as done',
  title: `Mark ${whose(row)} as done by hand`,
  confirmLabel: 'Mark as done',
  note: 'Say this once you have done it at the charting platform yourself.',
  run: async (form, api) => {
    const { status } = await api.indicators.resolveAccess(row.scannerId, row.id, {
      note: reasonOf(form),
      reason: reasonOf(form),
    });
    return `${whose(row)}: ${words(status)}.`;
  },
});

/** What the end of a grant means, by who made the entry at the charting platform. */
const ENDS = {
  made: 'The member loses the indicator at once.',
  found:
    'The grant ends, and the member keeps the indicator: somebody admitted them at the charting platform before. Take it over first if they are to lose it.',
  'by-hand':
    'The member keeps the indicator until a person has removed them at the charting platform and marks that as done.',
};

/** Whether a grant can still be revoked: it has not ended, nor is it about to, unless at the end of a countdown. */
const isRevocable = ({ status, graceEndsAt }: IndicatorAccess): boolean =>
  status !== 'revoked' && (status !== 'pending_revoke' || graceEndsAt !== null);

const revoke = (row: IndicatorAccess): Action => ({
  name: 'Revoke',
  title: `Revoke ${whose(row)}`,
  confirmLabel: 'Revoke access',
  isDangerous: true,
  note: `${ENDS[row.entry ?? 'made']} It can be granted again.`,
  run: async (form, api) => {
    const { status } = await api.indicators.revokeAccess(row.scannerId, row.id, { reason: reasonOf(form) });
    return `${whose(row)}: ${words(status)}.`;
  },
});

const takeOver = (row: IndicatorAccess): Action => ({
  name: 'Take over',
  title: `Take over ${whose(row)}`,
  isDangerous: row.status === 'revoked',
  note:
    row.status === 'revoked'
      ? 'What somebody else made at the charting platform for this charting name is removed there at once, if it is still there.'
      : 'What somebody else made at the charting platform then belongs to this grant, and ends with it.',
  run: async (form, api) => {
    await api.indicators.takeOverAccess(row.scannerId, row.id, { reason: reasonOf(form) });
    return `Took over ${whose(row)}.`;
  },
});

/** The actions on a grant. What was found for one that is revoked now is no longer known, and may still be there. */
const actionsOf = (row: IndicatorAccess): Action[] => [
  ...(row.status === 'failed' ? [resolve(row)] : []),
  ...(row.status === 'revoked' || (row.entry && row.entry !== 'made') ? [takeOver(row)] : []),
  ...(isRevocable(row) ? [revoke(row)] : []),
];

const COLUMNS: Column<IndicatorAccess>[] = [
  {
    head: 'Member',
    cell: ({ user, userId }) => <Person id={userId} name={nameOf(user)} email={user?.email} />,
  },
  { head: 'Indicator', isText: true, cell: ({ scannerName }) => scannerName },
  {
    head: 'Charting name',
    cell: ({ chartingUsername }) => <code>{chartingUsername || 'none'}</code>,
  },
  { head: 'State', cell: ({ status }) => <Tag tone={grantTone(status)}>{words(status)}</Tag> },
  { head: 'Source', cell: (row) => <History of={row} /> },
  {
    head: 'Last answer',
    isText: true,
    cell: ({ lastError, attempts }) => (
      <>
        {lastError}
        {attempts > 0 && <small>{plural(attempts, 'try', 'tries')}</small>}
      </>
    ),
  },
  { head: 'Age', cell: ({ updatedAt }) => <Age at={updatedAt} /> },
  {
    head: '',
    cell: (row) => (
      <>
        {row.status === 'failed' && (
          <AtOnce
            name="Retry"
            failed={`${whose(row)} was not tried again`}
            run={async (api) => `${whose(row)}: ${await retry(row, api)}.`}
          />
        )}
        {actionsOf(row).length > 0 && <Menu actions={actionsOf(row)} />}
      </>
    ),
  },
];

/** The state changes of a grant, loaded when the row is expanded. */
function History({ of }: { of: IndicatorAccess }) {
  const [moves, setMoves] = useState<IndicatorAccessMove[]>();
  const read = async () => setMoves(moves ?? (await api.indicators.getAccessHistory(of.scannerId, of.id)));
  return (
    <details onToggle={() => void read()}>
      <summary>{words(of.source)}</summary>
      {moves?.map(({ version, toStatus, why, createdAt }) => (
        <small key={`${version} ${toStatus} ${createdAt}`}>
          {words(toStatus)}: {why} · <Time at={createdAt} />
        </small>
      ))}
    </details>
  );
}

const retryMany = (rows: IndicatorAccess[]): Action => ({
  name: `Retry ${rows.length}`,
  title: `Retry ${plural(rows.length, 'grant')}`,
  confirmLabel: `Retry ${rows.length}`,
  openings: ['the charting platform is back', 'the member corrected the name'],
  run: async (form, api) => {
    const results = await api.indicators.retryAllAccess({
      ids: rows.map(({ id }) => id),
      reason: reasonOf(form),
    });
    const outcomes = outcomesOf(rows, results, whose);
    return { sentence: `Retried ${succeeded(outcomes)}.`, outcomes };
  },
});

const HALF_AN_HOUR_MS = 1_800_000;

/** Turns the state in the address into parameters; "stuck" means pending for more than half an hour. */
function queryOf({ state, ...rest }: Record<string, string>): Record<string, string> {
  if (!state) return rest;
  if (state !== 'stuck') return { ...rest, status: state };
  const minute = Math.floor((now() - HALF_AN_HOUR_MS) / 60_000) * 60_000;
  return { ...rest, status: 'pending_grant', olderThan: new Date(minute).toISOString() };
}

const STATE: Filter & { kind: 'choice' } = {
  kind: 'choice',
  name: 'state',
  label: 'State',
  none: 'all',
  values: [
    ['failed', 'failed'],
    ['stuck', 'stuck for 30 minutes'],
    ['pending_grant', 'being granted'],
    ['pending_revoke', 'being revoked'],
    ['active', 'active'],
    ['revoked', 'revoked'],
  ],
};

const FILTERS: Filter[] = [
  STATE,
  {
    kind: 'choice',
    name: 'source',
    label: 'Source',
    values: ['marketplace', 'automated', 'manual'].map((one) => [one, one]),
  },
  { kind: 'link', name: 'userId', label: 'Member' },
];

/** The grants of one indicator are a list of their own at the platform, with fewer filters. */
const OF_ONE: Filter[] = [
  { ...STATE, values: STATE.values.filter(([state]) => state !== 'stuck') },
  { kind: 'link', name: 'scannerId', label: 'Indicator' },
];

const ROWS = {
  pollMs: 15_000,
  what: 'The grants',
  columns: COLUMNS,
  keyOf: ({ id }: IndicatorAccess) => id,
  empty: 'Nothing waits here. Grants that fail or get stuck show up under their state.',
  file: 'grants',
  bulk: {
    nameOf: whose,
    actions: (rows: IndicatorAccess[]) => <ActionButton action={retryMany(rows)} class="primary" />,
  },
};

export default function Grants() {
  const { scannerId } = usePlace().query;
  return (
    <Page title="Indicators">
      <ChartingNote />
      {scannerId ? (
        <Listing
          {...ROWS}
          operation={listIndicatorAccess}
          params={{ id: scannerId }}
          filters={OF_ONE}
          toQuery={({ state }) => (state ? { status: state } : {})}
          caption="Grants of one indicator, newest first"
        />
      ) : (
        <Listing
          {...ROWS}
          operation={listAllIndicatorAccess}
          filters={FILTERS}
          toQuery={queryOf}
          caption="Grants of all indicators, newest first"
        />
      )}
    </Page>
  );
}
