import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChatroom } from '../../sdk/src/index.ts';
import { startPlatform } from '../support/platform.ts';
import { liveBudgetOf } from './budget.ts';
import { fuzzCommands } from './commands.ts';

const platform = await startPlatform();

test('every command of the live channel gets a response as described', async (t) => {
  const member = await platform.newMember();
  const { data: room } = await member.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } });
  const names = { chatroomId: room.id as string, userId: member.id };
  const budget = liveBudgetOf(1_000);
  const speaker = { url: platform.url, token: member.accessToken, names };
  const { count, answered, faults, commands } = await fuzzCommands(speaker, budget);
  t.diagnostic(`seed ${budget.seed}: ${count} commands`);
  assert.deepEqual(faults, [], 'responses that violate the description');
  const unanswered = commands.filter((id) => !answered.has(id) && id !== 'sendChatTyping');
  assert.deepEqual(unanswered, [], 'commands that were never granted');
  assert.deepEqual(platform.logged, [], 'errors in the log');
});
