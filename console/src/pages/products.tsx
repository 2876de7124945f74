import { listAllProducts, listIndicators, type Product } from '@platform-api/sdk';
import { changedIn, NOTHING_CHANGED } from '../changes.ts';
import { type Action, ActionButton, Field, reasonOf, textOf } from '../parts/action.tsx';
import { Listing } from '../parts/listing.tsx';
import { OfferedFields, OfferedName, OfferedTag } from '../parts/offered.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';

/** Selects the indicator that a product grants. One that was deleted since is shown by its id. */
function IndicatorField({ of }: { of: string }) {
  const { data: indicators = [] } = useQuery('indicators', (by, signal) =>
    by.call(listIndicators, { query: { includeInactive: true } }, { signal }),
  );
  return (
    <Field label="Indicator" hint="What its holders are granted, if anything.">
      <select name="scannerId">
        <option value="">none</option>
        {of !== '' && !indicators.some(({ id }) => id === of) && (
          <option value={of} selected>
            {of}
          </option>
        )}
        {indicators.map(({ id, name }) => (
          <option key={id} value={id} selected={id === of}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

const Fields = ({ of }: { of?: Product }) => (
  <OfferedFields of={of}>
    <Field label="Kind">
      <select name="productType">
        <option value="scanner" selected={of?.productType === 'scanner'}>
          indicator
        </option>
        <option value="misc" selected={of?.productType !== 'scanner'}>
          something else
        </option>
      </select>
    </Field>
    <IndicatorField of={of?.scannerId ?? ''} />
    <Field label="Link" hint="Where it leads in place of a form, if anywhere.">
      <input name="ctaUrl" type="url" defaultValue={of?.ctaUrl ?? ''} />
    </Field>
  </OfferedFields>
);

const valuesOf = (form: FormData) => ({
  name: textOf(form, 'name'),
  productType: textOf(form, 'productType') as Product['productType'],
  // An emptied field clears the value.
  description: textOf(form, 'description'),
  scannerId: textOf(form, 'scannerId') || null,
  ctaUrl: textOf(form, 'ctaUrl') || null,
  ctaType: textOf(form, 'ctaUrl') ? ('link' as const) : ('form' as const),
  isActive: form.has('isActive'),
});

/** The values with which the form of a product is opened. */
const openedWith = (of: Product): ReturnType<typeof valuesOf> => ({
  name: of.name,
  productType: of.productType,
  description: of.description,
  scannerId: of.scannerId,
  ctaUrl: of.ctaUrl,
  ctaType: of.ctaUrl ? 'link' : 'form',
  isActive: of.isActive,
});

const ADD: Action = {
  name: 'Add product',
  title: 'Add a product',
  fields: <Fields />,
  run: async (form, api) => {
    const body = { ...valuesOf(form), reason: reasonOf(form) };
    return `Added ${(await api.marketplace.createProduct(body)).name}.`;
  },
};

const change = (of: Product): Action => ({
  name: 'Change',
  title: `Change ${of.name}`,
  confirmLabel: 'Save',
  fields: <Fields of={of} />,
  run: async (form, api) => {
    const changed = changedIn(openedWith(of), valuesOf(form));
    if (Object.keys(changed).length === 0) return NOTHING_CHANGED;
    const body = { ...changed, expectedUpdatedAt: of.updatedAt, reason: reasonOf(form) };
    const { name } = await api.marketplace.updateProduct(of.id, body);
    return `Saved ${name}.`;
  },
});

const remove = ({ id, name }: Product): Action => ({
  name: 'Delete',
  title: `Delete ${name}`,
  confirmLabel: 'Delete product',
  isDangerous: true,
  note: 'Requests for it stay. The product cannot be brought back.',
  run: async (form, api) => {
    await api.marketplace.deleteProduct(id, { reason: reasonOf(form) });
    return `Deleted ${name}.`;
  },
});

const COLUMNS: Column<Product>[] = [
  {
    head: 'Product',
    isText: true,
    by: ({ name }) => name.toLowerCase(),
    cell: (row) => <OfferedName of={row} href={to('/requests', { productId: row.id })} />,
  },
  { head: 'Kind', cell: ({ productType }) => (productType === 'scanner' ? 'indicator' : 'something else') },
  {
    head: 'Asks',
    isText: true,
    cell: ({ ctaType, requestFields }) =>
      ctaType === 'form' ? requestFields.map(({ label }) => label).join(', ') : 'by a link',
  },
  { head: 'State', cell: (row) => <OfferedTag {...row} /> },
  { head: 'Changed', by: ({ updatedAt }) => updatedAt, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    head: '',
    cell: (row) => (
      <>
        <ActionButton action={change(row)} />
        <ActionButton action={remove(row)} />
      </>
    ),
  },
];

export default function Products() {
  return (
    <Page title="Marketplace" actions={<ActionButton action={ADD} />}>
      <Listing
        operation={listAllProducts}
        what="The products"
        caption="Products"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="There is no product yet."
        file="products"
      />
    </Page>
  );
}
