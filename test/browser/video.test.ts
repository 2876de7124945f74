// The sandbox's page for lessons: a real player in a browser plays a video that was really uploaded and transcoded.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { getCourseProgress, signIn as signInOperation } from '../../sdk/src/index.ts';
import { executablePath, launchBrowser, newPage, noteTexts, type ShownTexts } from '../support/browser.ts';
import { PASSWORD } from '../support/client.ts';
import { newEducator } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';
import { hinderedFfmpeg, makeClip, newFolder, workFolder } from '../support/videos.ts';

const shots = process.env.SCREENSHOTS;
const SECONDS = 14;

const shot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
};

test('in a browser a video is uploaded, transcoded, played in each quality with captions, and resumed', {
  skip: executablePath && process.env.TEST_FFMPEG ? false : 'no chromium or no ffmpeg here',
}, async () => {
  // Before the platform, so that it is closed first: the platform waits for connections that the browser leaves half open.
  const browser = await launchBrowser(['--autoplay-policy=no-user-gesture-required', '--mute-audio']);
  after(() => browser.close());
  const program = hinderedFfmpeg('sleep 0.1');
  const platform = await startPlatform({
    VIDEO_WORK_DIR: workFolder(),
    TRANSCODE_PRESET: 'ultrafast',
    FFMPEG_PATH: program.path,
  });
  const { url, sandboxUrl, clock } = platform;
  const educator = await newEducator(platform);
  const { key } = await platform.newKey('mobile');
  const clip = makeClip(join(newFolder(), 'lesson.mp4'), { size: '854x480', rate: 10, seconds: SECONDS });
  const page = await newPage(browser, [1100, 760]);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));

  /** Signs in; returns what the page says of the playing. */
  async function signIn(query = ''): Promise<ShownTexts> {
    await page.goto(`${sandboxUrl}/video?key=${key}&api=${encodeURIComponent(url)}${query}`);
    const playing = await noteTexts(page, 'playing');
    await page.getByLabel('E-mail').fill(educator.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('who may upload').waitFor();
    return playing;
  }
  /** Waits until an expression holds of the video element. */
  const holds = (expression: string) =>
    page.waitForFunction(`(video => ${expression})(document.querySelector('video'))`);
  const act = (statement: string) =>
    page.evaluate(`(video => { ${statement} })(document.querySelector('video'))`);
  const secondOf = () => page.evaluate<number>(`document.querySelector('video').currentTime`);

  await signIn();
  await shot(page, 'video-signed-in');
  await page.getByRole('button', { name: 'New course' }).click();
  await page.getByText('No video yet').waitFor();
  await page.getByRole('button', { name: 'Enrol' }).click();
  await page.getByRole('button', { name: 'Enrol' }).waitFor({ state: 'hidden' });

  const states = await noteTexts(page, 'state');
  await page.getByLabel('Video file').setInputFiles(clip);
  program.hinder();
  await page.getByRole('button', { name: 'Upload' }).click();
  const becomes = (...statuses: string[]) =>
    page.waitForFunction(
      `${JSON.stringify(statuses)}.includes(document.getElementById('state').dataset.status)`,
    );
  await becomes('processing', 'failed');
  await shot(page, 'video-transcoding');
  program.recover();
  await becomes('complete', 'failed');
  const texts = await states.all();
  assert.equal(texts.at(-1), 'Ready to play', texts.join());
  assert.ok(texts.includes('Uploading, 0 %') && texts.includes('Uploading, 100 %'), texts.join());
  assert.ok(texts.includes('Transcoding, 0 %'), texts.join());

  await page.getByLabel('WebVTT').fill(`WEBVTT\n\n00:00.000 --> 00:${SECONDS}.000\nGuten Tag.\n`);
  await page.getByLabel('Language').fill('de');
  await page.getByRole('button', { name: 'Save captions' }).click();
  await page.getByText('Saved in de').waitFor();

  // The player has loaded the playlist again, which now contains the captions.
  const quality = page.locator('#quality');
  await page.locator('#captions option', { hasText: 'Deutsch' }).waitFor({ state: 'attached' });
  // It tells of captions and of qualities by events of their own.
  await quality.locator('option', { hasText: '480p' }).waitFor({ state: 'attached' });
  assert.deepEqual(await quality.locator('option').allTextContents(), ['Automatic', '360p', '480p']);
  await act('video.play().catch(() => undefined)');
  await holds('video.currentTime > 0.5');
  // From the beginning and slowly, so that the video does not end before a busy machine has checked it.
  await act('video.playbackRate = 0.25');
  for (const height of [360, 480, 360]) {
    await act('video.currentTime = 1; video.play().catch(() => undefined)');
    // A browser that discards what it is just seeking to may play on to the end in the former quality.
    await holds('!video.seeking && video.currentTime > 1');
    await quality.selectOption(`${height}p`);
    await holds(`video.videoHeight === ${height}`);
  }
  await page.getByText('Playing 360p').waitFor();
  await page.locator('#captions').selectOption('Deutsch');
  await holds("[...video.textTracks].some(({ mode, cues }) => mode !== 'disabled' && cues?.length > 0)");
  await shot(page, 'video-playing');

  // Paused by the page itself: a busy machine may notice so late that the video has ended.
  await act(`
    video.addEventListener('timeupdate', function pauseHere() {
      if (video.paused || video.seeking || video.currentTime < ${(SECONDS * 3) / 4 + 0.3}) return;
      video.removeEventListener('timeupdate', pauseHere);
      video.pause();
    });
    video.playbackRate = 1;
    video.currentTime = ${(SECONDS * 3) / 4};
    video.play().catch(() => undefined);
  `);
  await page.locator('#playing[data-saved]').waitFor({ state: 'attached' });
  const left = await secondOf();

  // The member returns later. The link expires during playback: the player requests a new one and continues.
  const course = await page.locator('#course').inputValue();
  let answered = 0;
  let hasEnded = false;
  await page.route(/\.m4s$/, async (route) => {
    // Only once, even if several segments are requested at the same time.
    if (!hasEnded) clock.advance(7 * 3600 * 1000);
    hasEnded = true;
    const response = await route.fetch();
    answered ||= response.status();
    await route.fulfill({ response });
  });
  const playing = await signIn(`&course=${course}`);
  await playing.contain('Continues at ');
  assert.match(String(await playing.all()), /Continues at 0:1[0-3]/);
  await act('video.play().catch(() => undefined)');
  await holds(`video.currentTime > ${Math.floor(left) + 0.3}`);
  assert.equal(answered, 403, 'the first link had ended');
  await shot(page, 'video-resumed');

  await act(`video.currentTime = ${SECONDS - 1}; video.play()`);
  await holds('video.ended');
  await page.locator(`#playing[data-saved="${SECONDS}"]`).waitFor({ state: 'attached' });
  const { data } = await educator.client.call(signInOperation, {
    body: {
      email: educator.email,
      password: PASSWORD,
      platform: 'web',
    },
  });
  const viewer = platform.client.as(data.accessToken);
  const progress = await viewer.call(getCourseProgress, { params: { courseId: course } });
  assert.equal(progress.data.percentage, 100);
  assert.deepEqual(faults, []);
});
