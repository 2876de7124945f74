import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasPlatformAccess, isActiveProduct, platformAccess, platformVerdicts } from './sku-access.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-06-15T12:00:00.000Z');
const WINDOWS: Record<string, number> = {
  XHSET303: 365,
  XHDEP303: 365,
  XHSET202: 90,
  XHDEP202: 90,
  DSAS408: 7,
  FREEACCESS: 7,
  XHSET101: 30,
  XHM102: 30,
  DSAS404: 30,
  'SOMETHING-ELSE': 30,
  constructor: 30,
};
const bought = (sku: string, last_purchased_date: string | null) => ({
  sku,
  product_name: sku,
  last_purchased_date,
});
const at = (ms: number) => new Date(ms).toISOString();

test('a SKU is active throughout its period, including both boundaries', () => {
  for (const [sku, days] of Object.entries(WINDOWS)) {
    const isActive = (ms: number) => isActiveProduct(bought(sku, at(ms)), NOW);
    assert.equal(isActive(NOW), true, sku);
    assert.equal(isActive(NOW + 1), false, `${sku} from the future`);
    assert.equal(isActive(NOW - days * DAY_MS), true, `${sku} on its last instant`);
    assert.equal(isActive(NOW - days * DAY_MS - 1), false, `${sku} the instant after`);
  }
});

test('a SKU is active exactly if it was bought within the period', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(WINDOWS)),
      fc.integer({ min: -400 * DAY_MS, max: 400 * DAY_MS }),
      (sku, age) => {
        const expected = age >= 0 && age <= (WINDOWS[sku] as number) * DAY_MS;
        assert.equal(isActiveProduct(bought(sku, at(NOW - age)), NOW), expected);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a missing or malformed date never grants access', () => {
  for (const date of [
    null,
    '',
    'yesterday',
    '2026-13-01',
    '2026-06-31',
    '2026-06-01x',
    '15/06/2026',
    '1',
    'Invalid Date',
    '+002026-06-01',
  ]) {
    assert.equal(isActiveProduct(bought('XHSET303', date), NOW), false, String(date));
  }
  assert.equal(
    isActiveProduct({ ...bought('XHSET303', null), last_purchased_date: NOW as never }, NOW),
    false,
  );
  fc.assert(
    fc.property(fc.string(), (date) => {
      if (!/^\d{4}-\d{2}-\d{2}/.test(date))
        assert.equal(isActiveProduct(bought('XHSET303', date), NOW), false);
    }),
  );
});

test('any listed SKU grants access; web, backoffice and scanners need none', () => {
  const yesterday = at(NOW - DAY_MS);
  for (const platform of ['app', 'livestream'] as const) {
    for (const sku of ['DSAS408', 'DSAS404', 'XHM102', 'XHSET101', 'XHSET202', 'XHSET303']) {
      assert.equal(hasPlatformAccess(platform, [bought(sku, yesterday)], NOW), true, `${platform} ${sku}`);
    }
    for (const sku of ['XHDEP303', 'XHDEP202', 'FREEACCESS', 'OTHER', 'xhset101']) {
      assert.equal(hasPlatformAccess(platform, [bought(sku, yesterday)], NOW), false, `${platform} ${sku}`);
    }
    const mixed = [bought('XHSET101', null), bought('XHM102', '2020-01-01'), bought('DSAS404', yesterday)];
    assert.equal(hasPlatformAccess(platform, mixed, NOW), true);
    assert.equal(hasPlatformAccess(platform, [], NOW), false);
  }
  for (const platform of ['web', 'backoffice', 'scanners'] as const) {
    assert.equal(hasPlatformAccess(platform, [], NOW), true);
  }
});

test('of the purchases that open a platform, the one that lasts longest decides, until its last instant', () => {
  const on = (platform: string, ...products: ReturnType<typeof bought>[]) => {
    const verdict = platformVerdicts(products, NOW).find((one) => one.platform === platform);
    return [verdict?.sku, verdict?.until?.getTime(), verdict?.isOpen];
  };
  const month = bought('XHSET101', at(NOW - 10 * DAY_MS));
  const year = bought('XHSET303', at(NOW - 10 * DAY_MS));
  assert.deepEqual(on('app', month, year, month), ['XHSET303', NOW + 355 * DAY_MS, true]);
  assert.deepEqual(on('app', month), ['XHSET101', NOW + 20 * DAY_MS, true]);
  for (const [ms, isOpen] of [
    [0, true],
    [1, false],
  ] as const) {
    const last = NOW - 30 * DAY_MS - ms;
    assert.deepEqual(on('app', bought('XHSET101', at(last))), ['XHSET101', NOW - ms, isOpen]);
  }
  assert.deepEqual(on('app', bought('XHSET101', at(NOW))), ['XHSET101', NOW + 30 * DAY_MS, true]);
  for (const nothing of [
    bought('FREEACCESS', at(NOW)),
    bought('XHSET101', null),
    bought('XHSET101', 'yesterday'),
    bought('XHSET101', at(NOW + 1)),
    { ...bought('XHSET101', null), last_purchased_date: NOW as never },
  ])
    assert.deepEqual(on('app', nothing), [null, undefined, false], JSON.stringify(nothing));
  assert.deepEqual(on('web', year), [null, undefined, true]);
  assert.deepEqual(on('scanners', year), [null, undefined, true]);
});

test('the purchases that open each platform are listed with their days', () => {
  const listed = Object.fromEntries(
    platformAccess().map(({ platform, skus }) => [
      platform,
      Object.fromEntries(skus.map(({ sku, days }) => [sku, days])),
    ]),
  );
  const skus = { XHSET101: 30, XHM102: 30, XHSET202: 90, XHSET303: 365, DSAS408: 7, DSAS404: 30 };
  assert.deepEqual(listed, { app: skus, livestream: skus, scanners: {}, web: {}, backoffice: {} });
});
