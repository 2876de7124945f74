import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteLessonCaptions, getLessonCaptions, putLessonCaptions } from '../../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { notEducator } from '../../identity/contract.ts';
import { captionNotFound, invalidLanguage } from '../failures.ts';

const platform = await startPlatform();

test('owners and administrators retrieve captions as they were set, by any spelling of the language', async () => {
  const { owner, lessons } = await newCourse(platform);
  const params = { lessonId: lessons[0].id, language: 'pt-br' };
  const text = '\uFEFFWEBVTT\r\n\r\n00:00.000 --> 00:02.000\r\nOlá.';
  assertRefused(await owner.client.attempt(getLessonCaptions, { params }), captionNotFound);
  await owner.client.call(putLessonCaptions, { params, body: { text } });
  for (const client of [owner.client, platform.admin])
    for (const language of ['pt-br', 'pt-BR'])
      assert.deepEqual((await client.call(getLessonCaptions, { params: { ...params, language } })).data, {
        lessonId: params.lessonId,
        language: 'pt-BR',
        text,
      });
  assertRefused(
    await owner.client.attempt(getLessonCaptions, { params: { ...params, language: 'x' } }),
    invalidLanguage,
  );
  await owner.client.call(deleteLessonCaptions, { params });
  assertRefused(await owner.client.attempt(getLessonCaptions, { params }), captionNotFound);
});

test('the text of captions is for those who manage the course', async () => {
  const { owner, lessons } = await newCourse(platform);
  const params = { lessonId: lessons[0].id, language: 'en' };
  await owner.client.call(putLessonCaptions, { params, body: { text: 'WEBVTT\n' } });
  const [member, other] = [await platform.newMember(), await newEducator(platform)];
  assertRefused(await member.client.attempt(getLessonCaptions, { params }), notEducator);
  assertRefused(await other.client.attempt(getLessonCaptions, { params }), insufficientPermissions);
});
