import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PICTURE_SIDES } from '../../src/external/transcoder/port.ts';
import { GETTING_STARTED } from '../../src/gateway/openapi/getting-started.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/time/time.ts';
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from '../../src/modules/identity/sessions/sessions.model.ts';
import { PictureLinks } from '../../src/modules/media/contract.ts';

// Sentences in files that may not import the constant. All other sentences are derived from the constant.

test('the introduction states how long tokens are valid', () => {
  assert.ok(GETTING_STARTED.includes(`\`accessToken\` (${ACCESS_TOKEN_MS / MINUTE_MS} minutes)`));
  assert.ok(GETTING_STARTED.includes(`\`refreshToken\` (${REFRESH_TOKEN_MS / DAY_MS} days, one use)`));
});

test('the descriptions of the smaller copies of a picture state their sizes', () => {
  for (const [size, side] of Object.entries(PICTURE_SIDES)) {
    const shape = JSON.stringify(PictureLinks.properties[size as keyof typeof PICTURE_SIDES]);
    assert.ok(shape.includes(`"At most ${side} by ${side} pixels,`), shape);
  }
});
