import { listPlatforms, type PlatformAccess } from '@platform-api/sdk';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { to } from '../router.ts';
import { platformName, plural } from '../text.ts';

const COLUMNS: Column<PlatformAccess>[] = [
  {
    head: 'Platform',
    cell: ({ platform }) => <a href={to('/members', { platform })}>{platformName(platform)}</a>,
  },
  {
    head: 'Opened by',
    cell: ({ skus }) =>
      skus.length === 0
        ? 'every active account'
        : skus.map(({ sku, days }) => (
            <span key={sku} class="entry">
              <a href={to('/members', { sku })}>{sku}</a> <span class="dim">for {plural(days, 'day')}</span>
            </span>
          )),
  },
];

export default function Platforms() {
  return (
    <Page title="Members" beside="Which purchase opens what">
      <Listing
        operation={listPlatforms}
        what="The platforms"
        caption="Platforms, and the purchases that open them"
        columns={COLUMNS}
        keyOf={({ platform }) => platform}
        empty="There is no platform."
        file="platforms"
      />
    </Page>
  );
}
