import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setChartingUsername } from '../../../../sdk/src/index.ts';
import { indicatorTools, QUICK } from '../../../../test/support/indicators.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ ...QUICK, CHARTING_TIMEOUT_SECONDS: '5', LOG_LEVEL: 'silent' });
const { newMember } = platform;
const { newIndicator, newCustomer, access, grant, holders, tell, charting, untilStatus, rowsOf } =
  indicatorTools(platform);
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

test('only what names at the charting platform consist of is a handle, and nothing else is looked up', async () => {
  const ada = await newMember();
  const before = await lookUps();
  for (const text of ['<script>', 'ada trades', "ada'--", 'Ädä', 'ada/../eve', '@@ada', 'a'.repeat(65)]) {
    const { status, body } = await save(ada, text);
    assert.deepEqual([status, body.errors?.[0]?.field], [422, 'chartingUsername'], text);
  }
  assert.equal(await lookUps(), before);
  for (const text of ['Ada-1.x_', '@ada', 'a'.repeat(64)]) assert.equal((await save(ada, text)).status, 200);
});

test('a stored handle that would not be taken today goes on working', async () => {
  const [ada, first, second] = [await newCustomer(), await newIndicator(), await newIndicator()];
  await grant(first, ada, 'ada_stored');
  await untilStatus(ada, first, 'active');
  for (const [table, column] of [
    ['access', 'handle'],
    ['entry', 'handle'],
    ['entry', 'handle_key'],
  ])
    await platform.database.execute(
      `update indicators.${table} set ${column} = 'ada§' where ${column} = 'ada_stored'`,
    );
  await access({ customerId: ada.customerId, action: 'grant' });
  await untilStatus(ada, second, 'active');
  assert.deepEqual(await holders(second.pineId), ['ada§']);
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
