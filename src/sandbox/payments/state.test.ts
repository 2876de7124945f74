import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { manualClock } from '../../kernel/time/time.ts';
import { chartingState } from '../charting/state.ts';
import { paymentState } from './state.ts';

const folder = mkdtempSync(join(tmpdir(), 'platform-sandbox-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('state that two processes store under the same name is whole', () => {
  const file = join(folder, 'payments.json');
  // What another process writes at the moment.
  mkdirSync(`${file}.new`);
  const [one, other] = [paymentState(file), paymentState(file)];
  one.state.disputes.first = { id: 'first', payment_intent: null, amount: 1, status: 'won' };
  one.save();
  other.save();
  one.save();
  assert.deepEqual(Object.keys(paymentState(file).state.disputes), ['first']);
});

test('state that cannot be stored does not end the process', (t) => {
  const said: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => {
    said.push(text);
    return true;
  });
  const gone = join(folder, 'gone');
  mkdirSync(gone);
  const { save } = paymentState(join(gone, 'payments.json'));
  const charting = chartingState(join(gone, 'charting'), manualClock(0));
  rmSync(gone, { recursive: true });
  save();
  charting.add('PUB;x', 'ada');
  assert.ok(charting.has('PUB;x', 'ada'));
  assert.match(said.join(''), /can't write .*payments\.json: ENOENT[\s\S]*can't write .*charting: ENOENT/);
  assert.equal(existsSync(gone), false);
});
