import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../../../test/support/live.ts';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { openDatabase } from './database.ts';

const { database: direct, url } = await ownDatabase();
await direct.execute('create table public.written (code text)');
await direct.execute(`
  create function public.fail() returns trigger language plpgsql as $$
  begin
    raise exception 'could not extend file' using errcode = new.code;
  end $$`);
await direct.execute(
  'create trigger fail before insert on public.written for each row execute function public.fail()',
);

test('writes that fail for want of a disk are noticed once, and over when none has failed for a while', async () => {
  const changes: string[] = [];
  const database = openDatabase({
    url,
    connections: 2,
    onBackgroundError: () => undefined,
    onWrites: { refused: ({ message }) => changes.push(message), taken: () => changes.push('taken') },
    uncertainMs: 0,
  });
  after(database.close);
  const write = (code: string) =>
    assert.rejects(
      database.transaction((tx) => tx.execute('insert into public.written values ($1)', [code])),
    );
  await write('23514');
  assert.deepEqual([database.writes.isRefused(), changes], [false, []]);
  for (const code of ['53100', '58030']) {
    changes.length = 0;
    await write(code);
    await assert.rejects(database.execute('insert into public.written values ($1)', [code]));
    assert.deepEqual([database.writes.isRefused(), changes], [true, ['could not extend file']]);
    await until(() => !database.writes.isRefused(), 'a write');
    assert.deepEqual(changes, ['could not extend file', 'taken']);
  }
});

test('while a full disk was noticed lately, a write that succeeds does not show that others do', async () => {
  const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
  after(database.close);
  await assert.rejects(database.execute(`insert into public.written values ('53100')`));
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  assert.equal(database.writes.isRefused(), true);
});
