import { type ExchangeRate, listExchangeRates } from '@platform-api/sdk';
import { type Action, ActionButton, Field, filled, reasonOf, textOf } from '../parts/action.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';

const COLUMNS: Column<ExchangeRate>[] = [
  {
    head: 'One Key is',
    cell: ({ rate, currency }) => (
      <strong>
        {rate} {currency}
      </strong>
    ),
  },
  {
    head: 'State',
    cell: ({ isActive }) => (isActive ? <Tag tone="ok">in force</Tag> : <Tag tone="none">past</Tag>),
  },
  { head: 'From', cell: ({ effectiveFrom }) => <Time at={effectiveFrom} /> },
  { head: 'To', cell: ({ effectiveTo }) => <Time at={effectiveTo} /> },
  { head: 'Set by', cell: ({ updatedBy }) => updatedBy.email },
  { head: 'Notes', cell: ({ notes }) => notes },
];

const SET: Action = {
  name: 'Set rate',
  title: 'Set what one Key is worth',
  isDangerous: true,
  fields: (
    <>
      <Field label="One Key is worth" hint="At most ten decimals.">
        <input name="rate" type="number" min="0.0000000001" step="any" required autoFocus />
      </Field>
      <Field label="Currency" hint="Three letters, such as USD.">
        <input name="currency" defaultValue="USD" pattern="[A-Za-z]{3}" required />
      </Field>
      <Field label="Notes">
        <input name="notes" maxLength={500} />
      </Field>
    </>
  ),
  note: 'From now on Keys are bought and paid out at this rate. What was agreed before stays.',
  run: async (form, api) => {
    const set = await api.exchangeRates.set({
      rate: Number(textOf(form, 'rate')),
      currency: textOf(form, 'currency').toUpperCase(),
      ...filled(form, 'notes'),
      reason: reasonOf(form),
    });
    return `One Key is ${set.rate} ${set.currency} from now on.`;
  },
};

export default function Rates() {
  return (
    <Page title="Money" actions={<ActionButton action={SET} />}>
      <Listing
        operation={listExchangeRates}
        what="The rates"
        caption="Exchange rates, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No rate was ever set."
        file="rates"
      />
    </Page>
  );
}
