import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import { handleRules } from './handles.ts';

// When a handle is looked up, and what the answer means, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');

interface State {
  /** A spelling that was looked up before. */
  known?: string;
  hasPlatform?: boolean;
  admitted?: boolean;
  hasTurn?: boolean;
  answer?: () => Promise<object>;
}

/** Checks a handle; returns the result or the failed fields, with what was asked and saved. */
async function check({ known, hasPlatform = true, admitted = true, hasTurn = true, answer }: State) {
  const done: unknown[][] = [];
  const rules = handleRules({
    spellings: {
      find: async (_queries, handle, at) => {
        assert.deepEqual([handle, at], ['ada', AT]);
        return known;
      },
      save: async (_queries, handle) => {
        done.push(['save', handle]);
      },
    },
    account: {
      turn: async (_signal: unknown, maxWaitMs: number) => {
        done.push(['turn', maxWaitMs]);
        return hasTurn;
      },
      call: async (_request: unknown, options: object) => {
        done.push(['call', options]);
        return answer?.();
      },
    } as never,
    database: {} as never,
    cache: {
      consumeSliding: async (key: string, limit: object) => {
        done.push(['limit', key, limit]);
        return { admitted };
      },
    } as never,
    clock: { now: () => AT.getTime(), date: () => AT } as never,
    log: { warn: (facts: object) => done.push(['warned', facts]) } as never,
    settings: { hasPlatform },
  });
  const result = await rules
    .check('ada', 'a-member')
    .catch(({ status, details }: Failure) => [status, details.errors?.map(({ field }) => field)]);
  return { result, done };
}
const UNCHECKED = { handle: 'ada', isChecked: false };
const LIMIT = ['limit', 'charting-lookup:a-member', { lengthMs: 86_400_000, limit: 20 }];
const ASKED = [LIMIT, ['turn', 1_000], ['call', { withSession: false, mayPause: false }]];

test('a spelling that is known is taken without a call', async () => {
  assert.deepEqual(await check({ known: 'Ada' }), { result: { handle: 'Ada', isChecked: true }, done: [] });
});

test('a handle is looked up once, and its spelling kept', async () => {
  const answer = async () => ({ kind: 'known', handle: 'aDa' });
  assert.deepEqual(await check({ answer }), {
    result: { handle: 'aDa', isChecked: true },
    done: [...ASKED, ['save', 'aDa']],
  });
});

test('a handle that nobody has is refused', async () => {
  const { result, done } = await check({ answer: async () => ({ kind: 'unknown-user' }) });
  assert.deepEqual([result, done], [[422, ['chartingUsername']], ASKED]);
});

test('without a platform, beyond the limit or while the account is busy, a handle is taken unchecked', async () => {
  assert.deepEqual(await check({ hasPlatform: false }), { result: UNCHECKED, done: [] });
  assert.deepEqual(await check({ admitted: false }), { result: UNCHECKED, done: [LIMIT] });
  assert.deepEqual(await check({ hasTurn: false }), { result: UNCHECKED, done: ASKED.slice(0, 2) });
});

test('without an answer a handle is taken unchecked', async () => {
  for (const kind of ['fault', 'limited', 'session-over'])
    assert.deepEqual((await check({ answer: async () => ({ kind }) })).result, UNCHECKED);
  const broken = await check({ answer: async () => Promise.reject(new Error('away')) });
  assert.deepEqual([broken.result, broken.done.at(-1)], [UNCHECKED, ['warned', { error: 'away' }]]);
});
