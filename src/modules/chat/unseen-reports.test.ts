import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  assignPermissions,
  banChatMember,
  blockMember,
  deleteChatMessage,
  deleteChatroom,
  leaveChatroom,
  listReports,
  report,
  reportChatMessage,
  resolveReport,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { banned, notMember, roomNotFound } from './contract.ts';
import { messageNotFound } from './failures.ts';

// Reports of what the reporter can no longer read, because its author has deleted it or the two have parted.

const platform = await startPlatform();
const { admin, database, newMember } = platform;
const TEXT = 'You will regret this';
const reason = 'Threat';

/** A room of an abuser with somebody whom they have threatened. */
async function threatened(type: 'public' | 'private' = 'private') {
  const [eve, ben] = [await newMember(), await newMember()];
  const room = await newRoom(eve, type);
  const params = { chatroomId: room };
  if (type === 'private') await eve.client.call(addChatroomMember, { params, body: { userId: ben.id } });
  return { eve, ben, room, params, messageId: (await say(eve, room, TEXT)).id };
}
type Threat = Awaited<ReturnType<typeof threatened>>;

const inRoom = ({ client }: Member, { params, messageId }: Threat) =>
  client.attempt(reportChatMessage, { params: { ...params, messageId }, body: { reason } });
const anywhere = ({ client }: Member, { messageId }: Threat) =>
  client.attempt(report, { body: { kind: 'message', subjectId: messageId, reason } });

const PARTINGS: Record<string, (threat: Threat) => Promise<unknown>> = {
  'whose author the reporter has blocked': ({ eve, ben }) =>
    ben.client.call(blockMember, { params: { userId: eve.id } }),
  'of a room that the reporter has left': ({ ben, params }) => ben.client.call(leaveChatroom, { params }),
  'of a room from which its creator has banned the reporter': ({ eve, ben, params }) =>
    eve.client.call(banChatMember, { params: { ...params, userId: ben.id } }),
  'that its author has deleted': ({ eve, params, messageId }) =>
    eve.client.call(deleteChatMessage, { params: { ...params, messageId } }),
  'whose room its creator has deleted': ({ eve, params }) => eve.client.call(deleteChatroom, { params }),
};

for (const [what, part] of Object.entries(PARTINGS))
  test(`a message ${what} can be reported, and the answer does not repeat it`, async () => {
    const threat = await threatened();
    await part(threat);
    const sent = await inRoom(threat.ben, threat);
    assert.deepEqual([sent.status, sent.data?.message], [201, null]);
    assert.ok(!JSON.stringify(sent.body).includes(TEXT));
    const other = await threatened();
    await part(other);
    const general = await anywhere(other.ben, other);
    assert.equal(general.status, 201);
    assert.ok(!JSON.stringify(general.body).includes(TEXT));

    const { data: open } = await admin.call(listReports, { query: { kind: 'message', status: 'open' } });
    const ids = [sent.data?.id, general.data?.id];
    const seen = open.filter(({ id }) => ids.includes(id));
    assert.deepEqual(
      seen.map(({ text, authorId }) => [text, authorId]),
      [
        [TEXT, other.eve.id],
        [TEXT, threat.eve.id],
      ],
    );
    for (const { id } of seen) {
      const verdict = { params: { reportId: id }, body: { outcome: 'removed' } } as const;
      assert.equal((await admin.call(resolveReport, verdict)).data.status, 'removed');
    }
  });

test('a message of a room that has become private can be reported by whoever could read it, and no later one', async () => {
  const threat = await threatened('public');
  platform.clock.advance(1_000);
  const change = { params: threat.params, body: { type: 'private' } } as const;
  await threat.eve.client.call(updateChatroom, change);
  assert.deepEqual((await inRoom(threat.ben, threat)).data?.message, null);
  platform.clock.advance(1_000);
  const later = { ...threat, messageId: (await say(threat.eve, threat.room, TEXT)).id };
  assertRefused(await inRoom(threat.ben, later), notMember);
  assertRefused(await anywhere(threat.ben, later), notMember);
});

test('a message of a public room that was deleted can be reported by whoever could read it', async () => {
  const threat = await threatened('public');
  await threat.eve.client.call(deleteChatroom, { params: threat.params });
  assert.equal((await anywhere(threat.ben, threat)).status, 201);
});

test('whoever was never in a private room cannot report its messages, deleted or not', async () => {
  const threat = await threatened();
  const [cat, { eve, params, messageId }] = [await newMember(), threat];
  const refuse = async (failure: typeof notMember) => {
    assertRefused(await inRoom(cat, threat), failure);
    assertRefused(await anywhere(cat, threat), failure);
  };
  await refuse(notMember);
  await eve.client.call(deleteChatMessage, { params: { ...params, messageId } });
  await refuse(notMember);
  assertRefused(await inRoom(cat, { ...threat, messageId: 'f'.repeat(24) }), notMember);
  await eve.client.call(deleteChatroom, { params });
  await refuse(roomNotFound);
});

test('after seven days only what can be read is reported', async () => {
  const [deleted, parted, kept] = [
    await threatened('public'),
    await threatened(),
    await threatened('public'),
  ];
  await deleted.eve.client.call(deleteChatMessage, {
    params: { ...deleted.params, messageId: deleted.messageId },
  });
  await parted.eve.client.call(banChatMember, { params: { ...parted.params, userId: parted.ben.id } });
  const ids = [deleted, parted, kept].map(({ messageId }) => messageId);
  await database.execute(
    "update chat.message set created_at = created_at - interval '7 days 1 second' where id = any($1)",
    [ids],
  );
  assertRefused(await inRoom(deleted.ben, deleted), messageNotFound);
  assertRefused(await inRoom(parted.ben, parted), banned);
  assert.equal((await inRoom(kept.ben, kept)).data?.message, TEXT);
});

test('a message that a moderator has deleted is decided', async () => {
  const threat = await threatened('public');
  await admin.call(deleteChatMessage, { params: { ...threat.params, messageId: threat.messageId } });
  assertRefused(await inRoom(threat.ben, threat), messageNotFound);
  assertRefused(await anywhere(threat.ben, threat), messageNotFound);
});

test('moderators report what they could report as members, and so read nothing of a private room that they are not in', async () => {
  const [mod, threat, deleted] = [await newMember(), await threatened(), await threatened()];
  const permissions = { params: { userId: mod.id }, body: { permissions: ['moderator' as const] } };
  await admin.call(assignPermissions, permissions);
  await deleted.eve.client.call(deleteChatMessage, {
    params: { ...deleted.params, messageId: deleted.messageId },
  });
  for (const one of [threat, deleted]) {
    assertRefused(await inRoom(mod, one), notMember);
    assertRefused(await anywhere(mod, one), notMember);
  }
  await deleted.eve.client.call(deleteChatroom, { params: deleted.params });
  assertRefused(await anywhere(mod, deleted), roomNotFound);
  const { params, eve } = threat;
  await eve.client.call(addChatroomMember, { params, body: { userId: mod.id } });
  assert.equal((await inRoom(mod, threat)).data?.message, TEXT);
  const open = await threatened('public');
  assert.equal((await inRoom(mod, open)).data?.message, TEXT);
});
