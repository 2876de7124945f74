// The end of processing changes the subject before its videos, as the deletion of the subject does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { idMaker } from '../../kernel/ids.ts';
import { systemClock } from '../../kernel/time/time.ts';
import { captionStore } from './captions.store.ts';
import { videoEndings } from './endings.ts';
import { cleanupStore, uploadStore } from './uploads.store.ts';
import { videoRemoval } from './video-removal.ts';
import { videoStore } from './videos.store.ts';

const { database } = await ownDatabase(4);
const newId = idMaker(systemClock);
const stores = {
  videos: videoStore(database),
  uploads: uploadStore(database),
  captions: captionStore(database),
  cleanups: cleanupStore(database),
};
const { erase } = videoRemoval({ ...stores, database, clock: systemClock });
const MADE = { durationMs: 2_000, renditions: ['180p'], poster: '1/poster.jpg', attempts: [1] };

/** A video of a subject that this worker processes. */
async function claimed() {
  const [id, subjectId, ownerId] = [newId(), newId(), newId()];
  const source = { sourceKey: `uploads/${id}.mp4`, sourceEtag: '"x"', sourceBytes: 1 };
  await database.transaction((tx) =>
    stores.videos.insert(tx, { id, subjectId, ownerId, ...source, createdAt: new Date() }),
  );
  return (await stores.videos.claim(id)) ?? assert.fail();
}
/** Ends the processing of a video; meanwhile its subject is changed by `change`, in the same transaction. */
const complete = async (change: (subjectId: string) => Promise<unknown>) => {
  const video = await claimed();
  const events = { publish: () => change(video.subjectId) } as never;
  const endings = videoEndings({ ...stores, database, events, clock: systemClock });
  const isComplete = await endings.complete(video, MADE);
  return { isComplete, status: (await stores.videos.current(video.subjectId)).newest?.status };
};

test('a video whose subject is deleted while its end waits for the subject is gone, and neither waits for the other', async () => {
  const deleted = await complete((subjectId) => database.transaction((tx) => erase(tx, [subjectId])));
  assert.deepEqual(deleted, { isComplete: false, status: undefined });
});

test('a video that is cancelled while its end waits for the subject does not play', async () => {
  const CANCELLED = { code: 'CANCELLED', message: 'Cancelled' };
  const cancelled = await complete((subjectId) =>
    database.transaction(async (tx) => {
      const video = (await stores.videos.inProcessing(tx, subjectId)) ?? assert.fail();
      assert.ok(await stores.videos.fail(tx, video.id, CANCELLED));
    }),
  );
  assert.deepEqual(cancelled, { isComplete: false, status: 'failed' });
  const plain = await complete(async () => undefined);
  assert.deepEqual(plain, { isComplete: true, status: 'complete' });
});
