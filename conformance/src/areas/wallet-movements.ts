import type { Case } from '../cases.ts';
import type { Member } from '../installation.ts';
import type { Trial } from '../trial.ts';

const SECTION = 'decisions, "Wallet"';
const NOBODY = 'f'.repeat(24);

const balanceOf = async (trial: Trial, member: Member): Promise<number> =>
  trial.accepted(await trial.get(member, '/v1/wallets/balance'), 200).balance;

const transfer = (trial: Trial, from: Member, toUserId: string, amount: number, headers = {}) =>
  trial.post(from, '/v1/wallets/transfer', { toUserId, amount }, headers);

const cases: Case[] = [
  {
    title: 'administrators give Keys, and the record says who',
    section: 'part 1, "Wallet"',
    run: async (trial) => {
      const member = await trial.at.newMember();
      const body = { userId: member.id, amount: 25, description: 'a gift', metadata: { why: 'conformance' } };
      const { wallet, transaction, transactionId } = trial.accepted(
        await trial.post(trial.at.admin, '/v1/wallets/admin/fund', body),
        201,
      );
      trial.equal([wallet.userId, wallet.balance, wallet.currency], [member.id, 25, 'Keys'], 'the wallet');
      trial.equal([transaction.type, transaction.status], ['fund', 'completed'], 'the transaction');
      trial.equal(transaction.toUserId, member.id, '"toUserId"');
      trial.shape(transaction.metadata, { adminId: 'id', adminEmail: 'string', fundedAt: 'instant' });
      trial.equal(
        [transaction.metadata.manualFunding, transaction.metadata.why],
        [true, 'conformance'],
        'the metadata',
      );
      trial.matches(transactionId, /^[0-9a-f]{24}$/, '"transactionId"');
      trial.equal(await balanceOf(trial, member), 25, 'the balance');
      for (const amount of [0, -5, 1.5, '5'])
        trial.refused(await trial.post(trial.at.admin, '/v1/wallets/admin/fund', { ...body, amount }), 400);
      const nobody = { ...body, userId: NOBODY };
      trial.refused(
        await trial.post(trial.at.admin, '/v1/wallets/admin/fund', nobody),
        404,
        undefined,
        'User not found',
      );
    },
  },
  {
    title: 'a transfer takes from one wallet what it adds to the other',
    section: 'part 1, "Wallet"; decisions, "Wallet"',
    run: async (trial) => {
      const [ada, ben] = [await trial.at.newMemberWith(100), await trial.at.newMember()];
      const data = trial.accepted(await transfer(trial, ada, ben.id, 30), 201);
      trial.equal(data.fromWallet, { userId: ada.id, balance: 70 }, '"fromWallet"');
      trial.equal(data.toWallet.userId, ben.id, '"toWallet.userId"');
      const { type, amount, status, transactionId } = data.transaction;
      trial.equal([type, amount, status], ['transfer', 30, 'completed'], '"transaction"');
      trial.equal([await balanceOf(trial, ada), await balanceOf(trial, ben)], [70, 30], 'the balances');
      for (const member of [ada, ben]) {
        const { body } = await trial.get(member, '/v1/wallets/transactions?type=transfer');
        trial.equal(
          body.data.map((one: { transactionId: string }) => one.transactionId),
          [transactionId],
          'the history',
        );
        const [row] = body.data;
        trial.equal(
          [row.fromUserId, row.toUserId, row.amount, row.currency],
          [ada.id, ben.id, 30, 'Keys'],
          'the row',
        );
        trial.equal(body.pagination.limit, 50, 'the limit of transactions');
        const side = member === ada ? ['from', 100, 70] : ['to', 0, 30];
        const [name, before, after] = side;
        trial.equal(
          [row[`${name}BalanceBefore`], row[`${name}BalanceAfter`]],
          [before, after],
          'the balances of the row',
        );
        const stats = trial.accepted(await trial.get(member, '/v1/wallets/statistics'), 200);
        trial.equal(stats.netBalance, await balanceOf(trial, member), '"netBalance"');
      }
      const stats = trial.accepted(await trial.get(ada, '/v1/wallets/statistics'), 200);
      trial.equal([stats.totalIn, stats.totalOut, stats.totalTransactions], [100, 30, 2], 'the statistics');
      trial.equal(stats.byType.transfer, { count: 1, amount: -30 }, '"byType.transfer"');
    },
  },
  {
    title: 'nobody sends to themselves, to nobody, or more than they have',
    section: SECTION,
    run: async (trial) => {
      const [ada, ben] = [await trial.at.newMemberWith(10), await trial.at.newMember()];
      trial.refused(await transfer(trial, ada, ada.id, 1), 400);
      trial.refused(await transfer(trial, ada, NOBODY, 1), 404, undefined, 'User not found');
      trial.refused(
        await transfer(trial, ada, ben.id, 11),
        400,
        'INSUFFICIENT_BALANCE',
        'Insufficient balance',
      );
      trial.refused(await trial.post(ada, '/v1/wallets/transfer', { amount: 1 }), 422);
      trial.refused(await transfer(trial, ben, ada.id, 1), 404, undefined, 'Wallet not found');
      trial.accepted(await transfer(trial, ada, ben.id, 10), 201);
      trial.equal(await balanceOf(trial, ada), 0, 'the balance');
    },
  },
  {
    title: 'transfers at the same moment never spend a Key twice',
    section: SECTION,
    run: async (trial) => {
      const [ada, ben] = [await trial.at.newMemberWith(25), await trial.at.newMember()];
      const answers = await Promise.all(Array.from({ length: 12 }, () => transfer(trial, ada, ben.id, 10)));
      const paid = answers.filter(({ status }) => status === 201).length;
      trial.equal(paid, 2, 'the number of accepted transfers');
      for (const answer of answers)
        if (answer.status !== 201) trial.refused(answer, 400, 'INSUFFICIENT_BALANCE');
      trial.equal([await balanceOf(trial, ada), await balanceOf(trial, ben)], [5, 20], 'the balances');
    },
  },
  {
    title: 'an Idempotency-Key moves Keys once, and answers the same again',
    section: SECTION,
    run: async (trial) => {
      const [ada, ben] = [await trial.at.newMemberWith(100), await trial.at.newMember()];
      const headers = { 'idempotency-key': `conformance-${trial.at.run}` };
      const first = await transfer(trial, ada, ben.id, 10, headers);
      trial.accepted(first, 201);
      trial.equal(first.headers.get('idempotent-replayed'), null, 'idempotent-replayed of the first answer');
      const again = await transfer(trial, ada, ben.id, 10, headers);
      trial.accepted(again, 201);
      trial.equal(again.headers.get('idempotent-replayed'), 'true', 'idempotent-replayed');
      trial.equal(again.body.data, first.body.data, 'the replayed data');
      trial.refused(await transfer(trial, ada, ben.id, 11, headers), 422);
      trial.equal(await balanceOf(trial, ada), 90, 'the balance');
      const other = { 'idempotency-key': `conformance-2-${trial.at.run}` };
      const many = await Promise.all(Array.from({ length: 8 }, () => transfer(trial, ada, ben.id, 5, other)));
      for (const answer of many)
        trial.ok(
          answer.status === 201 || answer.status === 409,
          `one of eight at once is ${answer.status}`,
          answer,
        );
      trial.equal(await balanceOf(trial, ada), 85, 'the balance after eight at once');
    },
  },
  {
    title: 'a withdrawal holds its Keys until it ends, and a cancelled one gives them back',
    section: 'part 1, "States and transitions"; decisions, "Wallet"',
    run: async (trial) => {
      const ada = await trial.at.newMemberWith(50);
      const much = await trial.post(ada, '/v1/wallets/withdraw', { amount: 51 });
      trial.refused(trial.orSkipUnverified(much), 400, 'INSUFFICIENT_BALANCE');
      const answer = await trial.post(ada, '/v1/wallets/withdraw', { amount: 20 });
      if (answer.status === 503) trial.skip('no payment provider is configured');
      const { wallet, transaction } = trial.accepted(answer, 201);
      trial.equal(wallet.balance, 30, '"wallet.balance"');
      trial.equal(
        [transaction.type, transaction.amount, transaction.status],
        ['withdrawal', 20, 'pending'],
        'it',
      );
      const path = `/v1/wallets/withdrawals/${transaction.transactionId}/cancel`;
      trial.refused(await trial.post(await trial.at.member('ben'), path), 404);
      const cancelled = await trial.post(ada, path);
      if (cancelled.status === 409) trial.skip('the payment provider was faster');
      trial.accepted(cancelled, 200);
      trial.equal(await balanceOf(trial, ada), 50, 'the balance');
      const { body } = await trial.get(ada, '/v1/wallets/transactions');
      const types = body.data.map(({ type, status }: Record<string, string>) => `${type} ${status}`).sort();
      trial.equal(types, ['fund completed', 'refund completed', 'withdrawal cancelled'], 'the history');
    },
  },
  {
    title: 'a locked wallet and an inactive one neither give nor take',
    section: SECTION,
    run: async (trial) => {
      const [ada, ben] = [await trial.at.newMemberWith(10), await trial.at.newMemberWith(10)];
      const states = [
        { locked: true, lockedReason: 'conformance', reason: 'conformance' },
        { locked: false, isActive: false, reason: 'conformance' },
      ];
      for (const state of states) {
        trial.accepted(await trial.patch(trial.at.admin, `/v1/wallets/admin/${ada.id}`, state), 200);
        trial.refused(await transfer(trial, ada, ben.id, 1), 403);
        trial.refused(await transfer(trial, ben, ada.id, 1), 403);
      }
      const balance = trial.accepted(await trial.get(ada, '/v1/wallets/balance'), 200);
      trial.equal([balance.balance, balance.locked, balance.isActive], [10, false, false], 'the wallet');
      const open = { isActive: true, reason: 'conformance' };
      trial.accepted(await trial.patch(trial.at.admin, `/v1/wallets/admin/${ada.id}`, open), 200);
      trial.accepted(await transfer(trial, ada, ben.id, 1), 201);
    },
  },
  {
    title: 'the history is filtered by type, status and dates',
    section: 'part 1, "Wallet"; decisions, "Identifiers, numbers, time"',
    run: async (trial) => {
      const [ada, ben] = [await trial.at.newMemberWith(10), await trial.at.newMember()];
      trial.accepted(await transfer(trial, ada, ben.id, 1), 201);
      const today = new Date().toISOString().slice(0, 10);
      const total = async (query: string) =>
        (await trial.get(ada, `/v1/wallets/transactions?${query}`)).body.pagination.total;
      trial.equal(await total('type=fund'), 1, 'the number of fundings');
      trial.equal(await total('type=withdrawal'), 0, 'the number of withdrawals');
      trial.equal(await total('status=completed'), 2, 'the number of completed ones');
      trial.equal(await total(`startDate=${today}&endDate=${today}`), 2, 'the number of those of today');
      trial.equal(await total('endDate=2020-01-01'), 0, 'the number of those before 2020');
      for (const query of [
        'type=gift',
        'status=done',
        'startDate=x',
        'startDate=2025-02-30',
        'startDate=2025-02-02&endDate=2025-02-01',
      ])
        trial.refused(await trial.get(ada, `/v1/wallets/transactions?${query}`), 422);
    },
  },
];

/** Cases that move Keys. They need an administrator, who gives the Keys. */
export const movements: Case[] = cases.map((one) => ({ ...one, needs: ['administrator'] }));
