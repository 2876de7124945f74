import { type ApiKey, listApiKeys, type UsedApiKey } from '@platform-api/sdk';
import { NOTHING_CHANGED } from '../changes.ts';
import { type Action, ActionButton, Field, reasonOf, textOf } from '../parts/action.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Id, Tag, Time } from '../parts/values.tsx';
import { count, words } from '../text.ts';

const TIERS: [tier: ApiKey['tier'], text: string][] = [
  ['mobile', 'Mobile, for apps'],
  ['live_platform', 'Live Platform'],
  ['crm', 'CRM, for back offices'],
  ['third_party', 'Third party'],
  ['admin', 'Admin, for operators'],
];

const ISSUE: Action = {
  name: 'Issue key',
  title: 'Issue an API key',
  fields: (
    <>
      <Field label="Name" hint="Who uses it, and where.">
        <input name="name" maxLength={100} required autoFocus />
      </Field>
      <Field label="Tier" hint="It says how many requests are allowed.">
        <select name="tier" required>
          {TIERS.map(([tier, text]) => (
            <option key={tier} value={tier}>
              {text}
            </option>
          ))}
        </select>
      </Field>
    </>
  ),
  note: 'The key is shown once.',
  run: async (form, api) => {
    const { key, name } = await api.apiKeys.create({
      name: textOf(form, 'name'),
      tier: textOf(form, 'tier') as ApiKey['tier'],
      reason: reasonOf(form),
    });
    return `The key of ${name} is ${key} . It is not shown again.`;
  },
};

const revoke = ({ id, name }: ApiKey): Action => ({
  name: 'Revoke',
  title: `Revoke the key ${name}`,
  confirmLabel: 'Revoke key',
  isDangerous: true,
  typed: name,
  note: 'Whatever uses it is refused from the next request on. This cannot be undone.',
  run: async (form, api) => {
    await api.apiKeys.revoke(id, { reason: reasonOf(form) });
    return `The key ${name} is revoked.`;
  },
});

const rename = ({ id, name }: ApiKey): Action => ({
  name: 'Rename',
  title: `Rename the key ${name}`,
  confirmLabel: 'Rename',
  fields: (
    <Field label="Name">
      <input name="name" defaultValue={name} maxLength={100} required />
    </Field>
  ),
  run: async (form, api) => {
    const typed = textOf(form, 'name');
    if (typed === name.trim()) return NOTHING_CHANGED;
    const renamed = await api.apiKeys.update(id, { name: typed, reason: reasonOf(form) });
    return `The key ${name} is ${renamed.name} from now on.`;
  },
});

const roll = ({ id, name }: ApiKey): Action => ({
  name: 'Roll',
  title: `Replace the key ${name} by a new one`,
  confirmLabel: 'Roll key',
  fields: (
    <Field label="The old key stays valid for" hint="Hours, at most 72; 0 ends it at once.">
      <input name="overlapHours" type="number" min={0} max={72} defaultValue="24" required />
    </Field>
  ),
  note: 'The new key is shown once.',
  openings: ['rotation of the quarter', 'the key was seen by others'],
  run: async (form, api) => {
    const { key } = await api.apiKeys.roll(id, {
      overlapHours: Number(textOf(form, 'overlapHours')),
      reason: reasonOf(form),
    });
    return `The new key of ${name} is ${key} . It is not shown again.`;
  },
});

const COLUMNS: Column<UsedApiKey>[] = [
  {
    head: 'Name',
    isText: true,
    cell: ({ name, environment }) => (
      <>
        <strong>{name}</strong>
        <small>{environment}</small>
      </>
    ),
  },
  { head: 'Tier', cell: ({ tier }) => words(tier) },
  {
    head: 'State',
    cell: ({ revokedAt, expiresAt }) => (
      <>
        <Tag tone={revokedAt ? 'none' : expiresAt ? 'warn' : 'ok'}>
          {revokedAt ? 'revoked' : expiresAt ? 'rolled' : 'valid'}
        </Tag>
        {expiresAt && !revokedAt && (
          <small>
            ends <Time at={expiresAt} />
          </small>
        )}
      </>
    ),
  },
  { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'never') },
  {
    head: 'Today',
    isNumber: true,
    cell: ({ requestsToday, rejectedToday }) => (
      <>
        {count(requestsToday)}
        {rejectedToday > 0 && <small>{count(rejectedToday)} refused</small>}
      </>
    ),
  },
  { head: 'Issued', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: 'Id', cell: ({ id }) => <Id id={id} /> },
  {
    head: '',
    cell: (row) =>
      !row.revokedAt && (
        <>
          {!row.expiresAt && <ActionButton action={roll(row)} />}
          <ActionButton action={rename(row)} />
          <ActionButton action={revoke(row)} />
        </>
      ),
  },
];

export default function Keys() {
  return (
    <Page
      title="API keys"
      beside="What programs call the platform with"
      actions={<ActionButton action={ISSUE} />}
    >
      <Listing
        operation={listApiKeys}
        what="The keys"
        caption="API keys, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No key was issued."
        file="api-keys"
      />
    </Page>
  );
}
