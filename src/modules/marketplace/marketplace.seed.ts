import type { Seed } from '../seed.ts';

const NAME = 'Trend Pulse';

/** An indicator, a product that grants it, and a request that awaits a decision. */
export const marketplaceSeed: Seed = {
  small: async ({ call, admin, educator }) => {
    const indicators = (await call('GET', '/v1/streams/scanners', undefined, admin)) as { name: string }[];
    const what = 'an indicator, offered in the marketplace, and a request for it';
    if (indicators.some(({ name }) => name === NAME)) return { what, isNew: false };
    const indicator = { name: NAME, description: 'Marks where a trend begins.', pineId: 'PUB;seed' };
    const { id: scannerId } = (await call('POST', '/v1/streams/scanners', indicator, admin)) as {
      id: string;
    };
    const requestFields = [{ label: 'How long have you traded?' }];
    const product = { name: NAME, productType: 'scanner', scannerId, requestFields };
    const { id: productId } = (await call('POST', '/v1/streams/marketplace/products', product, admin)) as {
      id: string;
    };
    const request = {
      productId,
      fullName: 'Ada Example',
      email: 'ada@example.com',
      chartingId: 'ada_trades',
      answers: { how_long_have_you_traded: 'A year' },
    };
    await call('POST', '/v1/streams/marketplace/access-requests', request, educator.token);
    return { what, isNew: true };
  },
};
