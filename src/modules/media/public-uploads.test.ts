// How long the files live that members upload for everybody to see, and how many bytes a member may leave unused.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  createAnnouncement,
  createCourse,
  createLesson,
  createProduct,
  createStory,
  deleteCourse,
  deleteProduct,
  deleteStory,
  deleteUser,
  markEducator,
  presignEducatorUpload,
  presignProductImage,
  updateAnnouncement,
  updateCourse,
  updateEducatorProfile,
  updateLesson,
  updateUser,
} from '../../../sdk/src/index.ts';
import type { Loose } from '../../../test/support/client.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { SAMPLES } from '../../../test/support/pictures.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { until } from '../../../test/support/videos.ts';

const platform = await startPlatform();
const { admin, database, clock } = platform;
const HOUR_MS = 3_600_000;
const MIB = 1024 ** 2;
const PICTURE = { fileName: 'x.png', fileSize: SAMPLES.png.length, contentType: 'image/png' as const };

const presign = (by: Loose, file: object = PICTURE): Promise<Loose> =>
  by.client.attempt(presignEducatorUpload, { params: { educatorId: by.id }, body: file });
const put = async ({ uploadUrl, instructions }: Loose): Promise<number> => {
  const { headers } = instructions;
  return (await fetch(uploadUrl, { method: 'PUT', headers, body: SAMPLES.png as never })).status;
};
/** Uploads a picture and returns its address. */
async function upload(by: Loose): Promise<string> {
  const { data } = await presign(by);
  assert.equal(await put(data), 200);
  return data.publicUrl;
}
async function uploadAsAdmin(): Promise<string> {
  const { data } = await admin.call(presignProductImage, { body: PICTURE });
  assert.equal(await put(data), 200);
  return data.publicUrl;
}
const keyOf = (url: string): string => `files/${url.split('/media/files/')[1]}`;
const isServed = async (url: string): Promise<boolean> => (await fetch(url)).status === 200;
async function sweepIn(hours: number): Promise<void> {
  clock.advance(hours * HOUR_MS);
  await platform.platform.runJob('media.sweep');
  clock.advance(-hours * HOUR_MS);
}
/** Deleted courses lose their lessons in the background. */
const untilGone = (url: string): Promise<unknown> =>
  until(`the removal of ${url}`, async () => {
    await sweepIn(1);
    return !(await isServed(url));
  });
async function succeeds(asked: Promise<Loose>): Promise<Loose> {
  const { status, body, data } = await asked;
  assert.ok(status < 300, JSON.stringify(body));
  return data;
}

test('an unused upload is removed after a day and can be used before that', async () => {
  const ada = await newEducator(platform);
  const [saved, forgotten] = [await upload(ada), await upload(ada)];
  await sweepIn(23);
  assert.deepEqual([await isServed(saved), await isServed(forgotten)], [true, true]);
  await succeeds(
    ada.client.call(updateEducatorProfile, { params: { educatorId: ada.id }, body: { profileImage: saved } }),
  );
  await sweepIn(25);
  assert.deepEqual([await isServed(saved), await isServed(forgotten)], [true, false]);
  const late = await ada.client.attempt(updateEducatorProfile, {
    params: { educatorId: ada.id },
    body: { banner_image: forgotten },
  });
  assert.deepEqual([late.status, late.body.errors?.[0]?.field], [422, 'banner_image']);
});

/** Every field that shows a file: how one is saved there, and how it is taken back. */
const PLACES: Record<string, (by: Loose, url: string) => Promise<() => Promise<Loose>>> = {
  'a profile, by its educator': async (by, url) => {
    await succeeds(
      by.client.call(updateEducatorProfile, { params: { educatorId: by.id }, body: { banner_image: url } }),
    );
    return () =>
      by.client.call(updateEducatorProfile, { params: { educatorId: by.id }, body: { banner_image: null } });
  },
  'a profile, by an administrator': async (by, url) => {
    await succeeds(admin.call(updateUser, { params: { userId: by.id }, body: { profileImage: url } }));
    return () => admin.call(updateUser, { params: { userId: by.id }, body: { profileImage: null } });
  },
  'the profile of somebody who is no educator': async (_by, url) => {
    const params = { userId: (await platform.newMember()).id };
    await succeeds(admin.call(updateUser, { params, body: { profileImage: url } }));
    return () => admin.call(deleteUser, { params });
  },
  'a badge': async (by, url) => {
    await succeeds(admin.call(markEducator, { params: { educatorId: by.id }, body: { rankBadgeUrl: url } }));
    return () => admin.call(markEducator, { params: { educatorId: by.id }, body: { rankBadgeUrl: null } });
  },
  'an announcement': async (by, url) => {
    const draft = { title: 'Gold', content: 'Up', multimedia: [{ type: 'image' as const, url }] };
    const { id } = await succeeds(
      by.client.call(createAnnouncement, { params: { educatorId: by.id }, body: draft }),
    );
    return () =>
      by.client.call(updateAnnouncement, { params: { announcementId: id }, body: { multimedia: [] } });
  },
  'a story': async (by, url) => {
    const draft = { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png', thumbnailUrl: url };
    const { id } = await succeeds(
      by.client.call(createStory, { params: { educatorId: by.id }, body: draft }),
    );
    return () => by.client.call(deleteStory, { params: { storyId: id } });
  },
  'a course': async (by, url) => {
    const { id } = await succeeds(by.client.call(createCourse, { body: { title: 'Gold', thumbnail: url } }));
    return () => by.client.call(deleteCourse, { params: { courseId: id } });
  },
  'the trailer of a course': async (by, url) => {
    const { id } = await succeeds(by.client.call(createCourse, { body: { title: 'Gold' } }));
    await succeeds(by.client.call(updateCourse, { params: { courseId: id }, body: { trailerUrl: url } }));
    return () => by.client.call(updateCourse, { params: { courseId: id }, body: { trailerUrl: null } });
  },
  'a lesson that ends with its course': async (by, url) => {
    const { course } = await newCourse(platform, { owner: by as never, lesson: { thumbnailUrl: url } });
    return () => by.client.call(deleteCourse, { params: { courseId: course.id } });
  },
  'a download of a lesson': async (by, url) => {
    const { lessons } = await newCourse(platform, { owner: by as never });
    await succeeds(
      by.client.call(updateLesson, { params: { lessonId: lessons[0]?.id }, body: { downloadUrl: url } }),
    );
    return () =>
      by.client.call(updateLesson, { params: { lessonId: lessons[0]?.id }, body: { downloadUrl: null } });
  },
  'a resource of a lesson': async (by, url) => {
    const resources = [{ type: 'pdf' as const, url }];
    const { lessons } = await newCourse(platform, { owner: by as never, lesson: { resources } });
    return () =>
      by.client.call(updateLesson, { params: { lessonId: lessons[0]?.id }, body: { resources: [] } });
  },
  'a product': async (_by, url) => {
    const draft = { name: 'Pulse', productType: 'misc' as const, imageUrl: url };
    const { id } = await succeeds(admin.attempt(createProduct, { body: draft }));
    return () => admin.call(deleteProduct, { params: { id } });
  },
};

/** Where an administrator's upload is saved. */
const OF_ADMIN = /administrator|badge|product|no educator/;

for (const [place, save] of Object.entries(PLACES)) {
  test(`what stands in ${place} stays, and goes soon after it is taken back`, async () => {
    const by = await newEducator(platform);
    const url = await (/administrator|badge|product|nobody|no educator/.test(place)
      ? uploadAsAdmin()
      : upload(by));
    const takeBack = await save(by, url);
    await sweepIn(49);
    assert.ok(await isServed(url));
    await succeeds(takeBack());
    await untilGone(url);
  });
}

test('mentioning the path of a file in a text does not keep it', async () => {
  const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
  const { course, module } = await newCourse(platform, { owner: eve });
  const url = await upload(ada);
  await succeeds(
    ada.client.call(updateEducatorProfile, { params: { educatorId: ada.id }, body: { profileImage: url } }),
  );
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

test('a file used in several places is removed with the last use', async () => {
  const ada = await newEducator(platform);
  const url = await upload(ada);
  const inProfile = await PLACES['a profile, by its educator']?.(ada, url);
  const inAnnouncement = await PLACES['an announcement']?.(ada, url);
  const inStory = await PLACES['a story']?.(ada, url);
  await sweepIn(25);
  for (const takeBack of [inStory, inAnnouncement]) {
    await succeeds(takeBack?.() as Promise<Loose>);
    await sweepIn(25);
    assert.ok(await isServed(url));
  }
  await succeeds(inProfile?.() as Promise<Loose>);
  await sweepIn(1);
  assert.ok(!(await isServed(url)));
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

test('a removed file that is uploaded again by its old link is removed again', async () => {
  const ada = await newEducator(platform);
  const { data: ticket } = await presign(ada);
  assert.equal(await put(ticket), 200);
  const takeBack = await PLACES['a story']?.(ada, ticket.publicUrl);
  await succeeds(takeBack?.() as Promise<Loose>);
  await sweepIn(1);
  assert.ok(!(await isServed(ticket.publicUrl)));
  assert.equal(await put(ticket), 200);
  await sweepIn(25);
  assert.ok(!(await isServed(ticket.publicUrl)));
});

test('unused uploads of a member are limited to one gigabyte', async () => {
  const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
  const film = { fileName: 'x.mp4', fileSize: 200 * MIB, contentType: 'video/mp4' };
  const first = await succeeds(presign(ada, film));
  for (let count = 0; count < 4; count++) await succeeds(presign(ada, film));
  const refused = await presign(ada, film);
  assert.deepEqual([refused.status, refused.body.error], [429, 'UPLOAD_QUOTA_EXCEEDED']);
  const retryAfter = Number(refused.headers.get('retry-after'));
  assert.ok(retryAfter > 23 * 3600 && retryAfter <= 24 * 3600, `${retryAfter}`);
  await succeeds(presign(ada));
  await succeeds(presign(eve, film));
  await succeeds(
    ada.client.call(createStory, {
      params: { educatorId: ada.id },
      body: { mediaType: 'video', mediaUrl: first.publicUrl },
    }),
  );
  await succeeds(presign(ada, film));
  assert.equal((await presign(ada, film)).status, 429);
  await sweepIn(25);
  await succeeds(presign(ada, film));
});

test('concurrent requests cannot exceed the upload quota, and files per day are limited', async () => {
  const ada = await newEducator(platform);
  const film = { fileName: 'x.mp4', fileSize: 200 * MIB, contentType: 'video/mp4' };
  const many = await Promise.all(Array.from({ length: 12 }, () => presign(ada, film)));
  assert.equal(many.filter(({ status }) => status === 201).length, 5);
  await database.execute(
    'update kernel.public_file set is_used = true, bytes = 2 * 1024::bigint ^ 3 where owner_id = $1',
    [ada.id],
  );
  assert.deepEqual([(await presign(ada)).status, (await presign(ada, film)).status], [429, 429]);
});

test('a member has at most five hundred unused files', async () => {
  const ada = await newEducator(platform);
  await database.execute(
    `insert into kernel.public_file (key, owner_id, bytes, created_at, removable_at)
     select 'files/image/' || $1 || '/' || lpad(n::text, 24, '0') || '.png', $1, 1, now(), now() + interval '1 day'
     from generate_series(1, 500) n`,
    [ada.id],
  );
  assert.equal((await presign(ada)).body.error, 'UPLOAD_QUOTA_EXCEEDED');
});

/** The statements of all migrations that make the uses of older records known. */
function adoptions(): string[] {
  const modules = new URL('../', import.meta.url);
  return readdirSync(modules).flatMap((module) => {
    const folder = new URL(`${module}/migrations/`, modules);
    const names = existsSync(folder)
      ? readdirSync(folder).filter((name) => name.endsWith('public-files.sql'))
      : [];
    return names.flatMap(
      (name) => readFileSync(new URL(name, folder), 'utf8').match(/^select [^;]+;/gm) ?? [],
    );
  });
}

test('files from before an upgrade are kept, and those in use are removed with their records', async () => {
  const saved: (readonly [string, string, () => Promise<Loose>])[] = [];
  for (const [place, save] of Object.entries(PLACES)) {
    const by = await newEducator(platform);
    const url = await (OF_ADMIN.test(place) ? uploadAsAdmin() : upload(by));
    saved.push([place, url, await save(by, url)]);
  }
  const shownNowhere = await upload(await newEducator(platform));
  await database.execute('delete from kernel.public_file');
  await database.execute('delete from kernel.public_file_use');
  for (const statement of adoptions()) await database.all(statement);
  await sweepIn(49);
  for (const [place, url] of saved) assert.ok(await isServed(url), place);
  assert.ok(await isServed(shownNowhere));
  for (const [, url, takeBack] of saved) {
    await succeeds(takeBack());
    await untilGone(url);
  }
});

test('every column that may contain a public file is tracked', async () => {
  const columns = await database.all<{ column: string }>(
    `select format('%s.%s.%s', table_schema, table_name, column_name) as column from information_schema.columns
     where column_name ~ '(url|image|thumbnail|picture|avatar|banner|multimedia|resources|media$|file$)'
       and table_schema not in ('pg_catalog', 'information_schema', 'pgboss') and data_type in ('text', 'jsonb')`,
  );
  const tracked = await database.all<{ column: string }>(
    `select distinct format('%s.%s', tgrelid::regclass, argument) as column
     from pg_trigger, unnest(string_to_array(encode(tgargs, 'escape'), '\\000')) as argument
     where tgfoid = 'kernel.track_public_files'::regproc and argument <> ''`,
  );
  // A page of the charting platform, and a copy of what identity has.
  const others = new Set(['indicators.indicator.charting_url', 'educators.educator.profile']);
  const known = new Set(tracked.map(({ column }) => column));
  assert.ok(known.has('identity.user.educator') || known.has('identity."user".educator'), [...known].join());
  assert.deepEqual(
    columns.map(({ column }) => column).filter((column) => !known.has(column) && !others.has(column)),
    [],
  );
});
