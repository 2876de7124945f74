// The programs of sdk/README.md run as they are written.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as adminEntry from '../../sdk/src/admin.ts';
import * as sdk from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { newCourse } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const guide = readFileSync('sdk/README.md', 'utf8');

/** One function of all blocks, which go on with what the ones before them have made. */
function programOf(text: string): string {
  const blocks = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code as string);
  assert.ok(blocks.length >= 8);
  return (
    blocks
      .join('\n')
      // A name may be imported again by a later block.
      .replaceAll(
        /import \{(.*?)\} from '@platform-api\/sdk(\/admin)?';/gs,
        (_all, names, entry) => `var {${names}} = ${entry ? 'adminEntry' : 'sdk'};`,
      )
  );
}

test('the guide does what it says', async () => {
  const { course, lessons, owner } = await newCourse(platform);
  const member = await platform.newMemberWith(100);
  const room = (await owner.client.post('/v1/chatrooms', { name: 'Gold', type: 'public' })).data;
  await member.client.post(`/v1/courses/${course.id}/enroll`);
  const key = randomBytes(32);
  const rawBody = JSON.stringify({ type: 'wallet.funded' });
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', key).update(`evt_1.${at}.${rawBody}`).digest('base64');
  const said: string[] = [];
  const given = {
    sdk,
    adminEntry,
    baseUrl: platform.url,
    apiKey: (await platform.newKey('admin')).key,
    email: member.email,
    password: PASSWORD,
    toUserId: owner.id,
    roomId: room.id,
    lessonId: lessons[0].id,
    show: (text: unknown) => said.push(String(text)),
    rawBody,
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,${signature}`,
    },
    secret: `whsec_${key.toString('base64')}`,
  };
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const program = new AsyncFunction(...Object.keys(given), `${programOf(guide)}\napi.live().close();`);
  await program(...Object.values(given));
  for (const text of [course.title, 'completed', 'live', 'wallet.funded'])
    assert.ok(said.includes(text), text);
  const { data } = await member.client.get('/v1/wallets/balance');
  assert.equal(data.balance, 100 - 25 - 5);
});
