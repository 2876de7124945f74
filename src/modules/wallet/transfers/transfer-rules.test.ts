import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { manualClock } from '../../../kernel/time/time.ts';
import { blocked } from '../../moderation/contract.ts';
import type { TransactionDraft } from '../ledger/drafts.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import { transferRules } from './transfers.ts';

// What a transfer checks and drafts, for a member and for other modules, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
const ID = 'c'.repeat(24);
const POSTED = {
  id: ID,
  at: AT,
  from: { balanceAfter: 60 },
  to: { balanceAfter: 40, accountId: 'account' },
} as never;
const ADA = { kind: 'user', userId: 'ada', email: 'ada@example.com', hasFactor: false } as UserCaller;
const STRONG = { ...ADA, hasFactor: true } as UserCaller;
const WITHOUT_ANSWER = { record: () => undefined } as never;

function ruling({ isBlocked = false, needsStepUp = false } = {}) {
  const done: unknown[][] = [];
  let drafted: TransactionDraft | undefined;
  const note =
    (what: string) =>
    async (...values: unknown[]) =>
      void done.push([what, ...values.filter((one) => typeof one !== 'object')]);
  const rules = transferRules({
    wallets: {
      postTo: async (recipientId: string, draft: TransactionDraft) => {
        done.push(['post', recipientId]);
        drafted = draft;
        return POSTED;
      },
    } as never,
    stepUp: {
      mayPay: async (_sender, amount) => {
        done.push(['may', amount]);
        if (needsStepUp) throw new Error('step up');
      },
      hold: note('hold'),
      admitPayment: async (_tx, _sender, amount) => void done.push(['admit', amount]),
      mustHaveSteppedUp: note('stepped up'),
    },
    mayApproach: async (recipientId, senderId) => {
      done.push(['approach', recipientId, senderId]);
      if (isBlocked) throw blocked();
    },
    audit: {
      record: async (_tx: unknown, { action, target, details }: Record<string, unknown>) =>
        done.push(['audit', action, target, details]),
    } as never,
    clock: manualClock(AT.getTime()),
  });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ status, code, message }: Failure) => (code ? `${status} ${code}` : message),
    );
  return { rules, done, codeOf, drafted: () => drafted as TransactionDraft };
}
const announced = (draft: TransactionDraft) => {
  const { data } = draft.announce?.(POSTED) as unknown as { data: (() => object) | object };
  return (typeof data === 'function' ? data() : data) as Record<string, unknown>;
};

test('a transfer moves Keys between two wallets at once, and answers with both balances', async () => {
  const { rules, done, drafted } = ruling();
  const answer = await rules.transfer(ADA, { toUserId: 'ben', amount: 40 }, WITHOUT_ANSWER);
  assert.deepEqual(answer, {
    fromWallet: { userId: 'ada', balance: 60 },
    toWallet: { userId: 'ben', balance: 40 },
    transaction: { transactionId: transactionIdOf(ID), type: 'transfer', amount: 40, status: 'completed' },
  });
  const { type, status, from, to, fromUserId, toUserId, amount, description, metadata, admit, also } =
    drafted();
  assert.deepEqual(
    [type, status, from, to, fromUserId, toUserId, amount, description, metadata, admit, also],
    ['transfer', 'completed', 'wallet:ada', 'wallet:ben', 'ada', 'ben', 40, '', {}, undefined, undefined],
  );
  assert.deepEqual(done, [
    ['may', 40],
    ['post', 'ben'],
  ]);
});

test('a text or metadata is a message, which a block refuses; the Keys alone are not', async () => {
  for (const [more, isMessage] of [
    [{}, false],
    [{ description: '', metadata: {} }, false],
    [{ description: 'Hi' }, true],
    [{ metadata: { note: 'Hi' } }, true],
  ] as const) {
    const { rules, done, codeOf } = ruling({ isBlocked: true });
    const code = await codeOf(rules.transfer(ADA, { toUserId: 'ben', amount: 1, ...more }, WITHOUT_ANSWER));
    assert.equal(code, isMessage ? '403 BLOCKED' : undefined, JSON.stringify(more));
    assert.deepEqual(
      done.filter(([what]) => what === 'approach'),
      isMessage ? [['approach', 'ben', 'ada']] : [],
    );
  }
});

test('nobody transfers to themselves, or without a step-up that is needed, also through another module', async () => {
  const own = ruling();
  const toOneself = { toUserId: 'ada', amount: 1 };
  assert.equal(
    await own.codeOf(own.rules.transfer(ADA, toOneself, WITHOUT_ANSWER)),
    '400 TRANSFER_TO_ONESELF',
  );
  const movement = {
    fromUserId: 'ada',
    toUserId: 'ada',
    amount: 1,
    description: '',
    metadata: {},
    sender: undefined,
  };
  assert.equal(await own.codeOf(own.rules.transferFor(movement)), '400 TRANSFER_TO_ONESELF');
  assert.deepEqual(own.done, []);
  const weak = ruling({ needsStepUp: true });
  assert.equal(
    await weak.codeOf(weak.rules.transfer(STRONG, { toUserId: 'ben', amount: 1 }, WITHOUT_ANSWER)),
    'step up',
  );
  const other = { ...movement, toUserId: 'ben' };
  assert.equal(await weak.codeOf(weak.rules.transferFor({ ...other, sender: STRONG })), 'step up');
  assert.equal(await weak.codeOf(weak.rules.transferFor(other)), undefined, 'nobody asked for it');
});

test('the payment of a member with a second factor is admitted and counted in its transaction', async () => {
  const { rules, done, drafted } = ruling();
  await rules.transfer(STRONG, { toUserId: 'ben', amount: 40 }, WITHOUT_ANSWER);
  await drafted().admit?.('tx' as never);
  await drafted().also?.('tx' as never, POSTED);
  assert.deepEqual(
    done.slice(2).map(([what]) => what),
    ['hold', 'admit'],
  );
});

test("another module's checks come before, and its writes after, those of the payment", async () => {
  const { rules, done, drafted } = ruling();
  const movement = {
    fromUserId: 'ada',
    toUserId: 'ben',
    amount: 40,
    description: 'Gold',
    metadata: {},
    sender: undefined,
  };
  const result = await rules.transferFor({
    ...movement,
    sender: STRONG,
    admit: async () => void done.push(['their check']),
    also: async (_tx, { transactionId }) => void done.push(['their write', transactionId]),
  });
  assert.deepEqual(result, { transactionId: transactionIdOf(ID), at: AT });
  await drafted().admit?.('tx' as never);
  await drafted().also?.('tx' as never, POSTED);
  assert.deepEqual(
    done.slice(2).map(([what]) => what),
    ['their check', 'hold', 'admit', 'their write'],
  );
  const plain = ruling();
  await plain.rules.transferFor(movement);
  const { admit, also, answer } = plain.drafted();
  assert.deepEqual([admit, also, answer], [undefined, undefined, undefined]);
  const onlyTheirs = ruling();
  await onlyTheirs.rules.transferFor({
    ...movement,
    admit: async () => undefined,
    also: async () => undefined,
    answer: { idempotency: WITHOUT_ANSWER, of: ({ transactionId }) => transactionId },
  });
  const drafts = onlyTheirs.drafted();
  assert.ok(drafts.admit && drafts.also);
  assert.equal(drafts.answer?.of(POSTED), transactionIdOf(ID));
});

test('a transfer is announced as a gift, with its surface, only if it is marked as one', async () => {
  const announcedWith = async (metadata: Record<string, unknown>) => {
    const { rules, drafted } = ruling();
    await rules.transfer(ADA, { toUserId: 'ben', amount: 40, metadata }, WITHOUT_ANSWER);
    const { gift, surface, transactionId, amount, fromUserId, toUserId } = announced(drafted());
    assert.deepEqual([transactionId, amount, fromUserId, toUserId], [transactionIdOf(ID), 40, 'ada', 'ben']);
    return [gift, surface];
  };
  assert.deepEqual(await announcedWith({ gift: true, surface: 'meeting' }), [true, 'meeting']);
  assert.deepEqual(await announcedWith({ gift: true, surface: 5 }), [true, undefined]);
  assert.deepEqual(await announcedWith({ gift: 'true', surface: 'meeting' }), [false, undefined]);
  assert.deepEqual(await announcedWith({ surface: 'meeting' }), [false, undefined]);
});

test('Keys that an administrator grants are marked, recorded and announced', async () => {
  const { rules, done, drafted } = ruling();
  const funding = { userId: 'ben', amount: 40, metadata: { note: 'x', adminId: 'forged' } };
  const answer = await rules.fundAsAdmin(funding, STRONG, { requestId: 'q' } as never, WITHOUT_ANSWER);
  const stamp = {
    adminId: 'ada',
    adminEmail: 'ada@example.com',
    manualFunding: true,
    fundedAt: AT.toISOString(),
  };
  const { from, to, type, status, fromUserId, metadata, description } = drafted();
  assert.deepEqual(
    [from, to, type, status, fromUserId, metadata, description],
    ['issued', 'wallet:ben', 'fund', 'completed', null, { note: 'x', ...stamp }, ''],
  );
  assert.deepEqual(answer.wallet, {
    _id: 'account',
    userId: 'ben',
    balance: 40,
    currency: 'Keys',
    isActive: true,
    locked: false,
  });
  assert.deepEqual([answer.transactionId, answer.transaction.transactionId], [ID, transactionIdOf(ID)]);
  await drafted().admit?.('tx' as never);
  await drafted().also?.('tx' as never, POSTED);
  const details = { amount: 40, description: '', transactionId: transactionIdOf(ID), ...stamp };
  assert.deepEqual(done.slice(1), [
    ['stepped up', 'tx'],
    ['audit', 'wallet.funded', 'ben', details],
  ]);
  const { amount, balance, source, userId } = announced(drafted());
  assert.deepEqual([amount, balance, source, userId], [40, 40, 'administrator', 'ben']);
});
