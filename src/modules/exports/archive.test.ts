import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { statement } from '../../kernel/database/queries.ts';
import type { ExportedArea } from '../../kernel/records/member-records.ts';
import { archiveOf } from './archive.ts';

const area = (name: string): ExportedArea => ({
  name,
  about: name,
  wordsOfOthers: [],
  page: statement(`test.${name}`, 'select 1'),
});
const archive = (read: Parameters<typeof archiveOf>[0]['read']) =>
  archiveOf({
    userId: 'f'.repeat(24),
    areas: [area('one'), area('two')],
    read,
    withoutAdministrators: (text) => text,
    at: new Date(),
  });

test('a page that cannot be read ends the archive with its error, and not the process', async () => {
  const lost = new Error('the connection was lost');
  const read = async ({ name }: ExportedArea) => {
    if (name === 'two') throw lost;
    return [];
  };
  await assert.rejects(buffer(archive(read)), lost);
});

test('nor does one that fails after the archive was given up', async () => {
  let fail = (_error: Error): void => undefined;
  const given = archive(() => new Promise((_resolve, reject) => (fail = reject)));
  given.resume();
  await new Promise(setImmediate);
  given.destroy();
  fail(new Error('the connection was lost'));
  await new Promise(setImmediate);
});
