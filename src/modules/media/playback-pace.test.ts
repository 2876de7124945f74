import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../kernel/time/time.ts';
import { playbackPace } from './playback-pace.ts';

const grantOf = (viewerId: string) => ({ videoId: 'video', viewerId, expiresAt: new Date() });

test('a viewer makes 600 requests at once and then ten a second', () => {
  const clock = manualClock();
  const pace = playbackPace(clock);
  for (let count = 0; count < 600; count++) assert.equal(pace(grantOf('ada')), 0);
  assert.equal(pace(grantOf('ada')), 1);
  assert.equal(pace(grantOf('ben')), 0);
  clock.advance(1000);
  for (let count = 0; count < 10; count++) assert.equal(pace(grantOf('ada')), 0);
  assert.equal(pace(grantOf('ada')), 1);
  clock.advance(3_600_000);
  for (let count = 0; count < 600; count++) assert.equal(pace(grantOf('ada')), 0);
  assert.equal(pace(grantOf('ada')), 1);
});
