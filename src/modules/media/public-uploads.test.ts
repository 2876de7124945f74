// How long the files live that members upload for everybody to see, and how many bytes a member may leave unused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeCourseOwner,
  createAnnouncement,
  createLesson,
  createStory,
  deleteUser,
  updateCourse,
  updateEducatorProfile,
  updateUser,
} from '../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { isServed, publicUploads } from '../../../test/support/public-uploads.ts';

const platform = await startPlatform();
const { admin, database, clock } = platform;
const HOUR_MS = 3_600_000;
const { sweepIn, upload, untilRemoved: untilGone } = publicUploads(platform);
const keyOf = (url: string): string => `files/${url.split('/media/files/')[1]}`;

test('an unused upload is removed after a day and can be used before that', async () => {
  const ada = await newEducator(platform);
  const [saved, forgotten] = [await upload(ada), await upload(ada)];
  await sweepIn(23);
  assert.deepEqual([await isServed(saved), await isServed(forgotten)], [true, true]);
  await ada.client.call(updateEducatorProfile, {
    params: { educatorId: ada.id },
    body: { profileImage: saved },
  });
  await sweepIn(25);
  assert.deepEqual([await isServed(saved), await isServed(forgotten)], [true, false]);
  const late = await ada.client.attempt(updateEducatorProfile, {
    params: { educatorId: ada.id },
    body: { banner_image: forgotten },
  });
  assert.deepEqual([late.status, late.body.errors?.[0]?.field], [422, 'banner_image']);
});

test('mentioning the path of a file in a text does not keep it', async () => {
  const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
  const { course, module } = await newCourse(platform, { owner: eve });
  const url = await upload(ada);
  await ada.client.call(updateEducatorProfile, {
    params: { educatorId: ada.id },
    body: { profileImage: url },
  });
  const path = url.split('/media/files')[1] as string;
  const { client, id } = eve;
  for (const text of [url, `${url}?x`, `${url}#x`, `${url}/small`, `https://elsewhere.example.com${path}`]) {
    const multimedia = [{ type: 'image' as const, url: text }];
    const answers = await Promise.all([
      client.attempt(updateCourse, { params: { courseId: course.id }, body: { thumbnail: text } }),
      client.attempt(createLesson, {
        body: {
          moduleId: module.id,
          title: 'L',
          resources: [{ type: 'pdf', url: text }],
        },
      }),
      client.attempt(createAnnouncement, {
        params: { educatorId: id },
        body: { title: 'T', content: 'C', multimedia },
      }),
      client.attempt(createStory, {
        params: { educatorId: id },
        body: { mediaType: 'image', mediaUrl: text },
      }),
      client.attempt(updateEducatorProfile, {
        params: { educatorId: id },
        body: { educator_bio: `See ${text}` },
      }),
      client.attempt(updateEducatorProfile, {
        params: { educatorId: id },
        body: { socials: { website: text } },
      }),
      admin.attempt(updateUser, { params: { userId: id }, body: { specialty: `See ${text}` } }),
    ]);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [422], text);
  }
  assert.equal((await admin.call(deleteUser, { params: { userId: ada.id } })).status, 200);
  await untilGone(url);
});

test('who takes a course over saves it with the picture that it has', async () => {
  const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
  const thumbnail = await upload(ada);
  const { course } = await newCourse(platform, { owner: ada, course: { thumbnail } });
  const params = { courseId: course.id };
  await admin.call(changeCourseOwner, { params, body: { userId: eve.id } });
  const saved = await eve.client.call(updateCourse, { params, body: { title: 'Mine', thumbnail } });
  assert.equal(saved.data.thumbnail, thumbnail);
  const other = await eve.client.attempt(updateCourse, { params, body: { thumbnail: await upload(ada) } });
  assert.equal(other.status, 422);
});

test('a file that is being saved is not removed, and one being removed cannot be saved', async () => {
  const ada = await newEducator(platform);
  const url = await upload(ada);
  const rule = { ownerIds: [ada.id] };
  clock.advance(25 * HOUR_MS);
  await platform.platform.media.checkPublicUrls({ profileImage: url }, rule);
  await platform.platform.runJob('media.sweep');
  clock.advance(-25 * HOUR_MS);
  assert.ok(await isServed(url));
  // Taken for removal, but still in the storage.
  await database.execute(
    `with taken as (delete from kernel.public_file where key = $1 returning key)
     insert into media.cleanup (prefix, due_at) select key, now() + interval '1 day' from taken`,
    [keyOf(url)],
  );
  await assert.rejects(platform.platform.media.checkPublicUrls({ profileImage: url }, rule), { status: 422 });
});

test('a sweep concurrent with a save never leaves a record without its file', async () => {
  const ada = await newEducator(platform);
  for (let turn = 0; turn < 15; turn++) {
    const url = await upload(ada);
    await database.execute(
      `update kernel.public_file set created_at = now() - interval '2 days', removable_at = now() - interval '1 day'
       where key = $1`,
      [keyOf(url)],
    );
    const draft = { title: 'Gold', content: 'Up', multimedia: [{ type: 'image' as const, url }] };
    const [saved] = await Promise.all([
      ada.client.attempt(createAnnouncement, { params: { educatorId: ada.id }, body: draft }),
      platform.platform.runJob('media.sweep'),
    ]);
    await sweepIn(0);
    assert.equal(await isServed(url), saved.status === 201, `${saved.status}`);
  }
});
