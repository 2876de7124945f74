import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  enrollInCourse,
  getCourseCertificate,
  getLessonVideo,
  presignEducatorUpload,
  sendNotification,
  updateLessonProgress,
} from '../../sdk/src/index.ts';
import { newCourse } from '../support/courses.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { PRODUCTION, startProgram } from '../support/programs.ts';

const PUBLIC_URL = 'https://api.example.com/platform';
const platform = await startPlatform({ PUBLIC_URL: `${PUBLIC_URL}/` });

/** All http(s) addresses in an answer. */
const linksIn = (answer: unknown): string[] => JSON.stringify(answer).match(/https?:\/\/[^"\\<>\s]+/g) ?? [];

function assertPublic(what: string, links: string[]): void {
  assert.ok(links.length > 0, `${what} has links`);
  for (const link of links) assert.ok(link.startsWith(`${PUBLIC_URL}/`), `${what}: ${link}`);
}

test('links to videos, files and certificates begin with PUBLIC_URL', async () => {
  const { course, lessons, owner } = await newCourse(platform);
  const lessonId = lessons[0]?.id;
  await platform.database.execute(
    `insert into media.video (id, subject_id, owner_id, source_key, source_etag, source_bytes, status, attempt,
       duration_ms, renditions, poster, completed_at, created_at)
     values ($1, $2, $3, 'source', 'etag', 1, 'complete', 1, 1000, '{720p}', '1/poster.jpg', now(), now())`,
    ['a'.repeat(24), lessonId, owner.id],
  );
  const status = await owner.client.call(getLessonVideo, { params: { lessonId } });
  assertPublic('the video', linksIn(status.data));

  const picture = { fileName: 'me.png', fileSize: 10, contentType: 'image/png' as const };
  const presigned = await owner.client.call(presignEducatorUpload, {
    params: { educatorId: owner.id },
    body: picture,
  });
  assertPublic('the file', linksIn(presigned.data.publicUrl));

  const member = await platform.newMember();
  await member.client.call(enrollInCourse, { params: { courseId: course.id } });
  await member.client.call(updateLessonProgress, {
    params: { lessonId },
    body: { positionSeconds: 1, completed: true },
  });
  const certificate = await member.client.call(getCourseCertificate, { params: { courseId: course.id } });
  assertPublic('the certificate', linksIn(certificate.data.verifyUrl));
});

test('links in mails begin with PUBLIC_URL', async () => {
  const member = await platform.newMember();
  await platform.admin.call(sendNotification, {
    body: {
      userId: member.id,
      type: 'reminder',
      title: 'Soon',
      message: 'It begins.',
      channels: ['email'],
    },
  });
  const links = async () =>
    (await platform.mailsTo(member.email)).flatMap(({ headers }) =>
      linksIn(headers['list-unsubscribe'] ?? ''),
    );
  await until(async () => (await links()).length > 0, 'the mail');
  assertPublic('the mail', await links());
});

test('in production a process does not start without PUBLIC_URL, and reports all missing settings', async () => {
  const { PUBLIC_URL: _, TRUSTED_PROXIES: __, ...incomplete } = PRODUCTION;
  await assert.rejects(
    startProgram(['src/main.js', 'start'], { ...incomplete, DATABASE_URL: platform.databaseUrl }),
    {
      message:
        /ended with 1: The configuration is invalid:\n {2}- PUBLIC_URL is needed in production: .*\n {2}- TRUSTED_PROXIES is needed in production: .* or none\n$/,
    },
  );
});
