import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../kernel/time/time.ts';
import { playbackPace } from './playback-pace.ts';

const grantOf = (viewerId: string) => ({ videoId: 'video', viewerId, expiresAt: new Date() });

test('600 requests at once, then ten a second; each viewer by itself', () => {
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
