import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  createAnnouncement,
  createCourse,
  createProduct,
  createStory,
  deleteCourse,
  deleteProduct,
  deleteStory,
  deleteUser,
  markEducator,
  updateAnnouncement,
  updateCourse,
  updateEducatorProfile,
  updateLesson,
  updateUser,
} from '../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { isServed, publicUploads, put } from '../../../test/support/public-uploads.ts';

const platform = await startPlatform();
const { admin, database } = platform;
const { sweepIn, presign, upload, uploadAsAdmin, untilRemoved: untilGone } = publicUploads(platform);

/** Every field that shows a file: how one is saved there, and how it is taken back. */
const PLACES = {
  'a profile, by its educator': async (by, url) => {
    await by.client.call(updateEducatorProfile, {
      params: { educatorId: by.id },
      body: { banner_image: url },
    });
    return () =>
      by.client.call(updateEducatorProfile, { params: { educatorId: by.id }, body: { banner_image: null } });
  },
  'a profile, by an administrator': async (by, url) => {
    await admin.call(updateUser, { params: { userId: by.id }, body: { profileImage: url } });
    return () => admin.call(updateUser, { params: { userId: by.id }, body: { profileImage: null } });
  },
  'the profile of somebody who is no educator': async (_by, url) => {
    const params = { userId: (await platform.newMember()).id };
    await admin.call(updateUser, { params, body: { profileImage: url } });
    return () => admin.call(deleteUser, { params });
  },
  'a badge': async (by, url) => {
    await admin.call(markEducator, { params: { educatorId: by.id }, body: { rankBadgeUrl: url } });
    return () => admin.call(markEducator, { params: { educatorId: by.id }, body: { rankBadgeUrl: null } });
  },
  'an announcement': async (by, url) => {
    const draft = { title: 'Gold', content: 'Up', multimedia: [{ type: 'image' as const, url }] };
    const { id } = (await by.client.call(createAnnouncement, { params: { educatorId: by.id }, body: draft }))
      .data;
    return () =>
      by.client.call(updateAnnouncement, { params: { announcementId: id }, body: { multimedia: [] } });
  },
  'a story': async (by, url) => {
    const draft = {
      mediaType: 'image' as const,
      mediaUrl: 'https://cdn.example.com/a.png',
      thumbnailUrl: url,
    };
    const { id } = (await by.client.call(createStory, { params: { educatorId: by.id }, body: draft })).data;
    return () => by.client.call(deleteStory, { params: { storyId: id } });
  },
  'a course': async (by, url) => {
    const { id } = (await by.client.call(createCourse, { body: { title: 'Gold', thumbnail: url } })).data;
    return () => by.client.call(deleteCourse, { params: { courseId: id } });
  },
  'the trailer of a course': async (by, url) => {
    const { id } = (await by.client.call(createCourse, { body: { title: 'Gold' } })).data;
    await by.client.call(updateCourse, { params: { courseId: id }, body: { trailerUrl: url } });
    return () => by.client.call(updateCourse, { params: { courseId: id }, body: { trailerUrl: null } });
  },
  'a lesson that ends with its course': async (by, url) => {
    const { course } = await newCourse(platform, { owner: by, lesson: { thumbnailUrl: url } });
    return () => by.client.call(deleteCourse, { params: { courseId: course.id } });
  },
  'a download of a lesson': async (by, url) => {
    const { lessons } = await newCourse(platform, { owner: by });
    await by.client.call(updateLesson, { params: { lessonId: lessons[0].id }, body: { downloadUrl: url } });
    return () =>
      by.client.call(updateLesson, { params: { lessonId: lessons[0].id }, body: { downloadUrl: null } });
  },
  'a resource of a lesson': async (by, url) => {
    const resources = [{ type: 'pdf' as const, url }];
    const { lessons } = await newCourse(platform, { owner: by, lesson: { resources } });
    return () =>
      by.client.call(updateLesson, { params: { lessonId: lessons[0].id }, body: { resources: [] } });
  },
  'a product': async (_by, url) => {
    const draft = { name: 'Pulse', productType: 'misc' as const, imageUrl: url };
    const { id } = (await admin.call(createProduct, { body: draft })).data;
    return () => admin.call(deleteProduct, { params: { id } });
  },
} satisfies Record<string, (by: Member, url: string) => Promise<() => Promise<unknown>>>;

/** The places in which an administrator saves an upload. */
const OF_ADMIN = /administrator|badge|product|no educator/;

for (const [place, save] of Object.entries(PLACES)) {
  test(`a file used in ${place} is kept, and removed soon after the use ends`, async () => {
    const by = await newEducator(platform);
    const url = await (OF_ADMIN.test(place) ? uploadAsAdmin() : upload(by));
    const takeBack = await save(by, url);
    await sweepIn(49);
    assert.ok(await isServed(url));
    await takeBack();
    await untilGone(url);
  });
}

test('a file used in several places is removed with the last use', async () => {
  const ada = await newEducator(platform);
  const url = await upload(ada);
  const inProfile = await PLACES['a profile, by its educator'](ada, url);
  const inAnnouncement = await PLACES['an announcement'](ada, url);
  const inStory = await PLACES['a story'](ada, url);
  await sweepIn(25);
  for (const takeBack of [inStory, inAnnouncement]) {
    await takeBack();
    await sweepIn(25);
    assert.ok(await isServed(url));
  }
  await inProfile();
  await sweepIn(1);
  assert.ok(!(await isServed(url)));
});

test('a removed file that is uploaded again by its old link is removed again', async () => {
  const ada = await newEducator(platform);
  const ticket = await presign(ada);
  assert.equal(await put(ticket), 200);
  const takeBack = await PLACES['a story'](ada, ticket.publicUrl);
  await takeBack();
  await sweepIn(1);
  assert.ok(!(await isServed(ticket.publicUrl)));
  assert.equal(await put(ticket), 200);
  await sweepIn(25);
  assert.ok(!(await isServed(ticket.publicUrl)));
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
  const saved: [place: string, url: string, takeBack: () => Promise<unknown>][] = [];
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
    await takeBack();
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
  // A page of the charting platform, a copy of identity's data, and another server.
  const others = new Set([
    'indicators.indicator.charting_url',
    'educators.educator.profile',
    'webhooks.endpoint.url',
  ]);
  const known = new Set(tracked.map(({ column }) => column));
  assert.ok(known.has('identity.user.educator') || known.has('identity."user".educator'), [...known].join());
  assert.deepEqual(
    columns.map(({ column }) => column).filter((column) => !known.has(column) && !others.has(column)),
    [],
  );
});
