import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { StoredObject } from '../../external/storage/port.ts';
import { bytesOf } from './stored-answers.ts';

/** An object of a storage that sends chunks of a kilobyte. */
function objectOf(chunks: number): { object: StoredObject; sent: () => number } {
  let sent = 0;
  const body = new Readable({
    highWaterMark: 1,
    read() {
      this.push(sent++ < chunks ? Buffer.alloc(1024, 1) : null);
    },
  });
  return { object: { body, bytes: 1024, etag: '"x"' } as unknown as StoredObject, sent: () => sent };
}

test('reading an endless object stops at the limit', async () => {
  const endless = objectOf(Number.POSITIVE_INFINITY);
  assert.equal((await bytesOf(endless.object, 3000)).length, 3000);
  assert.ok(endless.sent() < 10, `${endless.sent()} chunks were taken`);
  assert.equal(endless.object.body.destroyed, true);
});

test('an object within the limit is read completely', async () => {
  const { object } = objectOf(3);
  assert.equal((await bytesOf(object, 3 * 1024)).length, 3 * 1024);
  assert.equal(object.body.readableEnded, true);
});
