import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setChartingUsername } from '../../../../sdk/src/index.ts';
import { indicatorTools, QUICK } from '../../../../test/support/indicators.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ ...QUICK, CHARTING_TIMEOUT_SECONDS: '5', LOG_LEVEL: 'silent' });
const { newMember } = platform;
const { newIndicator, grant, holders, tell, charting, untilStatus, rowsOf } = indicatorTools(platform);
type Member = Awaited<ReturnType<typeof newMember>>;
const save = ({ client }: Member, chartingUsername: string) =>
  client.attempt(setChartingUsername, { body: { chartingUsername } });
const lookUps = async (): Promise<number> =>
  (await charting('GET')).calls.filter(({ path }: { path: string }) => path === '/username_hint/').length;

test('a saved handle is spelled as the charting platform spells it', async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  await grant(scanner, ben, 'Mixed_Case');
  await untilStatus(ben, scanner, 'active');
  const { status, data } = await save(ada, ' @MIXED_case ');
  assert.deepEqual([status, data], [200, { chartingUsername: 'Mixed_Case', moved: 0, checked: true }]);
});

test('an unknown handle is refused, and no access moves to it', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  await grant(scanner, ada, 'ada_right');
  await untilStatus(ada, scanner, 'active');
  await tell('unknown-user');
  const { status, body } = await save(ada, 'ada_wrogn');
  assert.equal(status, 422);
  assert.deepEqual(body.errors, [
    { field: 'chartingUsername', message: 'is not the name of anybody at the charting platform' },
  ]);
  await tell('ok');
  const [row] = await rowsOf(ada);
  assert.deepEqual([row?.status, row?.chartingUsername], ['active', 'ada_right']);
  assert.deepEqual(await holders(scanner.pineId), ['ada_right']);
});

test('while the charting platform does not respond, a handle is saved and checked later', async () => {
  for (const mode of ['fail', 'hang', 'nonsense', 'limit']) {
    const [ada, scanner] = [await newMember(), await newIndicator()];
    await tell(mode);
    const handle = `ada_${mode.slice(0, 4)}`;
    const saved = await save(ada, handle);
    assert.deepEqual(
      [saved.status, saved.data],
      [200, { chartingUsername: handle, moved: 0, checked: false }],
    );
    await tell('ok');
    await grant(scanner, ada, handle);
    await untilStatus(ada, scanner, 'active');
  }
});

test('after twenty look-ups the handles of a member are saved without a check', async () => {
  const ada = await newMember();
  const before = await lookUps();
  const answers = [];
  for (let number = 0; number < 22; number++) answers.push(await save(ada, `many_${number}`));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.deepEqual(
    answers.map(({ data }) => data?.checked),
    answers.map((_, number) => number < 20),
  );
  assert.equal((await lookUps()) - before, 20);
  await save(ada, 'many_0');
  assert.equal((await lookUps()) - before, 20, 'the spelling of a handle is looked up once');
});
