import { type Indicator, listIndicators } from '@platform-api/sdk';
import { changedIn, NOTHING_CHANGED } from '../changes.ts';
import { type Action, ActionButton, Field, reasonOf, textOf } from '../parts/action.tsx';
import { Listing } from '../parts/listing.tsx';
import { OfferedFields, OfferedName, OfferedTag } from '../parts/offered.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count, plural } from '../text.ts';

const Fields = ({ of }: { of?: Indicator }) => (
  <OfferedFields of={of}>
    <Field
      label="Script"
      hint="Its id at the charting platform. Without one it is never granted automatically."
    >
      <input name="pineId" defaultValue={of?.pineId ?? ''} maxLength={200} />
    </Field>
  </OfferedFields>
);

const valuesOf = (form: FormData) => ({
  name: textOf(form, 'name'),
  // An emptied field clears the value.
  description: textOf(form, 'description'),
  pineId: textOf(form, 'pineId') || null,
  isActive: form.has('isActive'),
});

const ADD: Action = {
  name: 'Add indicator',
  title: 'Add an indicator',
  fields: <Fields />,
  run: async (form, api) => {
    const body = { ...valuesOf(form), reason: reasonOf(form) };
    return `Added ${(await api.indicators.create(body)).name}.`;
  },
};

const change = (of: Indicator): Action => ({
  name: 'Change',
  title: `Change ${of.name}`,
  confirmLabel: 'Save',
  fields: <Fields of={of} />,
  run: async (form, api) => {
    const { name, description, pineId = null, isActive } = of;
    const changed = changedIn({ name, description, pineId, isActive }, valuesOf(form));
    if (Object.keys(changed).length === 0) return NOTHING_CHANGED;
    const body = { ...changed, expectedUpdatedAt: of.updatedAt, reason: reasonOf(form) };
    return `Saved ${(await api.indicators.update(of.id, body)).name}.`;
  },
});

const remove = ({ id, name, activeAccessCount }: Indicator): Action => ({
  name: 'Delete',
  title: `Delete ${name}`,
  confirmLabel: 'Delete indicator',
  isDangerous: true,
  facts: [['Held by', plural(activeAccessCount, 'member')]],
  note: 'Only an indicator that nobody holds and that no product grants can be deleted.',
  run: async (form, api) => {
    await api.indicators.delete(id, { reason: reasonOf(form) });
    return `Deleted ${name}.`;
  },
});

const grant = ({ id, name }: Indicator): Action => ({
  name: 'Grant',
  title: `Grant ${name} to a member`,
  confirmLabel: 'Grant access',
  fields: (
    <>
      <Field label="E-mail of the member">
        <input name="email" type="email" required autoFocus />
      </Field>
      <Field label="Charting name" hint="Their username at the charting platform.">
        <input name="chartingUsername" maxLength={100} required />
      </Field>
    </>
  ),
  run: async (form, api) => {
    const { status, user } = await api.indicators.grantAccess(id, {
      email: textOf(form, 'email'),
      chartingUsername: textOf(form, 'chartingUsername'),
      reason: reasonOf(form),
    });
    return `${name} for ${user?.email ?? textOf(form, 'email')}: ${status.replace('_', ' ')}.`;
  },
});

const COLUMNS: Column<Indicator>[] = [
  {
    head: 'Indicator',
    isText: true,
    cell: (row) => <OfferedName of={row} href={to('/grants', { scannerId: row.id })} />,
  },
  { head: 'Held by', isNumber: true, cell: ({ activeAccessCount }) => count(activeAccessCount) },
  { head: 'Script', isText: true, cell: ({ pineId }) => (pineId ? <code>{pineId}</code> : 'none') },
  { head: 'State', cell: (row) => <OfferedTag {...row} /> },
  { head: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    head: '',
    cell: (row) => (
      <>
        <ActionButton action={grant(row)} />
        <ActionButton action={change(row)} />
        <ActionButton action={remove(row)} />
      </>
    ),
  },
];

export default function Indicators() {
  return (
    <Page title="Indicators" actions={<ActionButton action={ADD} />}>
      <Listing
        operation={listIndicators}
        what="The catalogue"
        caption="Indicators"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="There is no indicator yet."
        file="indicators"
      />
    </Page>
  );
}
