import type { Area, Case } from '../cases.ts';

/** Cases whose effects every member of an installation would see or be notified of. */
const cases: Case[] = [
  {
    title: 'a new exchange rate holds at once, and the former one ends',
    section: 'part 1, "Exchange rates"',
    needs: ['administrator'],
    run: async (trial) => {
      const ada = await trial.at.member('ada');
      const current = async () =>
        trial.accepted(await trial.get(ada, '/v1/exchange-rates/current?currency=GBP'), 200);
      const set = (rate: number) =>
        trial.post(trial.at.admin, '/v1/exchange-rates', { rate, currency: 'GBP', notes: 'conformance' });
      const before = await trial.get(ada, '/v1/exchange-rates/current?currency=GBP');
      trial.at.onClose(trial.at.admin, 'POST', '/v1/exchange-rates', {
        rate: before.body.data?.rate ?? 1,
        currency: 'GBP',
      });
      const rate = trial.accepted(await set(0.1), 201);
      trial.equal([rate.rate, rate.isActive, rate.effectiveTo], [0.1, true, null], 'the new rate');
      trial.equal((await current()).rate, 0.1, 'the current rate');
      const convert = async (usd: number) =>
        trial.accepted(
          await trial.post(ada, '/v1/exchange-rates/convert/usd-to-keys', { usd, currency: 'GBP' }),
          200,
        ).keys;
      trial.equal([await convert(0.3), await convert(0.39), await convert(0.7)], [3, 3, 7], 'the Keys');
      trial.accepted(await set(0.25), 201);
      trial.equal((await current()).rate, 0.25, 'the current rate');
      for (const wrong of [0, -1, '1']) trial.refused(await set(wrong as number), 422);
    },
  },
  {
    title: 'a trade idea is shared, and closed by whoever shared it',
    section: 'decisions, "Content, chat, and the rest"',
    run: async (trial) => {
      const [ada, ben] = [await trial.at.member('ada'), await trial.at.member('ben')];
      const body = { symbol: 'EURUSD', direction: 'long', entryPrice: 1.0842 };
      const { id } = trial.accepted(await trial.post(ada, '/v1/trades', body), 201);
      trial.at.onClose(ada, 'DELETE', `/v1/trades/${id}`);
      const shown = trial.accepted(await trial.get(ben, `/v1/trades/${id}`), 200);
      trial.equal([shown.symbol, shown.direction, shown.userId], ['EURUSD', 'long', ada.id], 'the trade');
      trial.refused(await trial.delete(ben, `/v1/trades/${id}`), 403);
      trial.refused(await trial.post(ada, '/v1/trades', { ...body, direction: 'up' }), 422);
    },
  },
  {
    title: 'a livestream is planned and started by an educator, and public while it is live',
    section: 'part 2, "Other surfaces named"; decisions, "Content, chat, and the rest"',
    needs: ['administrator'],
    run: async (trial) => {
      const educator = await trial.at.educator();
      const hour = (later: number) => new Date(Date.now() + later * 3_600_000).toISOString();
      const body = { title: `Conformance ${trial.at.run}`, scheduledStart: hour(1), scheduledEnd: hour(2) };
      const livestream = await trial.post(educator, '/v1/livestreams', body);
      const { id } = trial.accepted(livestream, 201);
      const isLive = async () => {
        const { body } = await trial.get(trial.at.key, '/v1/livestreams/public/live');
        return body.data.some((one: { id: string }) => one.id === id);
      };
      trial.equal(await isLive(), false, 'whether it is live');
      trial.refused(await trial.post(await trial.at.member('ada'), '/v1/livestreams', body), 403);
      trial.accepted(await trial.post(educator, `/v1/livestreams/${id}/start`), 200);
      trial.equal(await isLive(), true, 'whether it is live');
      trial.accepted(await trial.post(educator, `/v1/livestreams/${id}/end`), 200);
      trial.equal(await isLive(), false, 'whether it is live');
    },
  },
];

export const everybody: Area = {
  name: 'everybody',
  cases: cases.map((one) => ({ ...one, needs: [...(one.needs ?? []), 'strangers'] })),
};
