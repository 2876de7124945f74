import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { key: apiKey } = await platform.newKey('admin');

test('after a leak of the signing key messages go on: the connection renews its token', async (t) => {
  const api = createClient({ apiKey, baseUrl: platform.url });
  const names = { firstName: 'Ada', lastName: 'L' };
  await api.auth.signUp({ email: newEmail(), password: PASSWORD, platform: 'web', ...names });
  t.after(() => api.live().close());
  const { id } = await api.chatrooms.create({ name: 'Gold', type: 'public' });
  const { id: other } = await api.chatrooms.create({ name: 'Silver', type: 'public' });
  const states: string[] = [];
  api.live().onState(({ name }) => states.push(name));
  const enter = (room: string) =>
    new Promise<void>((resolve) =>
      api
        .live()
        .room(room)
        .on('entered', () => resolve()),
    );
  await enter(id);
  await platform.platform.identity.rotateSigningKey({ isLeaked: true });
  // The room is entered again with a token of the new key.
  const entered = enter(other);
  assert.equal((await api.live().room(id).send('still here')).seq, 1);
  await entered;
  assert.deepEqual([...new Set(states)], ['connecting', 'live']);
});
