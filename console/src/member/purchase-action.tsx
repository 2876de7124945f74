import { listPlatforms } from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { now } from '../api.ts';
import { dayOf, instantOfDay } from '../days.ts';
import { type Action, Field, reasonOf, textOf } from '../parts/action.tsx';
import { Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { nameOf, platformName } from '../text.ts';
import type { TargetMember } from './target-member.ts';

const DAY_MS = 86_400_000;

/** Says which platforms a purchase of this day opens, and until when. */
function Effect({ sku, day }: { sku: string; day: string }) {
  const { data: platforms } = useQuery('platforms', (by, signal) => by.call(listPlatforms, {}, { signal }));
  const bought = Date.parse(instantOfDay(day));
  if (!platforms || sku === '' || Number.isNaN(bought)) return null;
  const opened = platforms.filter(({ skus }) => skus.some((one) => one.sku === sku));
  const days = opened[0]?.skus.find((one) => one.sku === sku)?.days;
  if (days === undefined) return <p class="dim">{sku} opens no platform.</p>;
  const until = new Date(bought + days * DAY_MS).toISOString();
  const names = opened.map(({ platform }) => platformName(platform)).join(' and ');
  return (
    <p role="status">
      {Date.parse(until) < now()
        ? `It opens nothing any more: ${names} was open until`
        : `${names}: open until`}{' '}
      <Time at={until} />.
    </p>
  );
}

function PurchaseFields({ skus }: { skus: string[] }) {
  const today = dayOf(new Date(now()).toISOString());
  const [sku, setSku] = useState('');
  const [day, setDay] = useState(today);
  return (
    <>
      <Field label="SKU">
        <input
          name="sku"
          list="skus"
          maxLength={100}
          required
          autoComplete="off"
          onInput={({ currentTarget: { value } }) => setSku(value.trim())}
        />
        <datalist id="skus">
          {skus.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </Field>
      <Field label="Product">
        <input name="productName" maxLength={200} required />
      </Field>
      <Field label="Bought on">
        <input
          name="date"
          type="date"
          required
          max={today}
          defaultValue={today}
          onInput={({ currentTarget: { value } }) => setDay(value)}
        />
      </Field>
      <Effect sku={sku} day={day} />
    </>
  );
}

export const purchaseAction = ({ member }: TargetMember, skus: string[]): Action => ({
  name: 'Record a purchase',
  title: `Record a purchase of ${nameOf(member)}`,
  confirmLabel: 'Record',
  fields: <PurchaseFields skus={skus} />,
  note: 'It opens what its SKU opens, for as long as that lasts. No money moves.',
  run: async (form, api) => {
    const { productName, warning } = await api.users.recordPurchase(member.id, {
      sku: textOf(form, 'sku'),
      productName: textOf(form, 'productName'),
      lastPurchasedDate: instantOfDay(textOf(form, 'date')),
      reason: reasonOf(form),
    });
    return `Recorded ${productName}.${warning ? ` ${warning}` : ''}`;
  },
});
