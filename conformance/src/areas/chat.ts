import type { Area } from '../cases.ts';
import type { Member } from '../installation.ts';
import type { Trial } from '../trial.ts';

const SECTION = 'part 2, "Chatrooms"; decisions, "Content, chat, and the rest"';

async function newRoom(trial: Trial, creator: Member, type: string): Promise<string> {
  const body = { name: `Conformance ${trial.at.run}`, type };
  const { id } = trial.accepted(await trial.post(creator, '/v1/chatrooms', body), 201);
  trial.at.onClose(creator, 'DELETE', `/v1/chatrooms/${id}`);
  return id;
}

export const chat: Area = {
  name: 'chat',
  cases: [
    {
      title: 'everybody reads a public room, and joins it by sending',
      section: SECTION,
      run: async (trial) => {
        const [ada, ben] = [await trial.at.member('ada'), await trial.at.member('ben')];
        const path = `/v1/chatrooms/${await newRoom(trial, ada, 'public')}`;
        const room = trial.accepted(await trial.get(ben, path), 200);
        trial.shape(room, {
          id: 'id',
          name: 'string',
          type: 'string',
          memberCount: 'integer',
          createdAt: 'instant',
        });
        const before = room.memberCount;
        const sent = trial.accepted(await trial.post(ben, `${path}/messages`, { message: 'Hello' }), 201);
        trial.shape(sent, { id: 'id', chatroomId: 'id', createdAt: 'instant' });
        trial.equal([sent.userId, sent.message], [ben.id, 'Hello'], 'the message');
        trial.equal((await trial.get(ben, path)).body.data.memberCount, before + 1, '"memberCount"');
        const { data } = (await trial.get(ada, `${path}/messages`)).body;
        trial.equal([data[0].id, data[0].user.firstName], [sent.id, 'Conformance'], 'the history');
        trial.equal(
          (await trial.get(ada, `${path}/messages?limit=500`)).body.pagination.limit,
          100,
          'the limit',
        );
        for (const message of ['', '   ', 5])
          trial.refused(await trial.post(ben, `${path}/messages`, { message }), 422);
        trial.accepted(await trial.post(ben, `${path}/leave`), 200);
        trial.equal(
          (await trial.get(ben, path)).body.data.memberCount,
          before,
          '"memberCount" after leaving',
        );
      },
    },
    {
      title: 'messages come in order, each once',
      section: SECTION,
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        const path = `/v1/chatrooms/${await newRoom(trial, ada, 'public')}/messages`;
        for (let number = 1; number <= 7; number++)
          trial.accepted(await trial.post(ada, path, { message: `number ${number}` }), 201);
        const texts: string[] = [];
        for (const page of [1, 2, 3]) {
          const { data } = (await trial.get(ada, `${path}?limit=3&page=${page}`)).body;
          texts.push(...data.map(({ message }: { message: string }) => message));
        }
        trial.equal(
          texts,
          [7, 6, 5, 4, 3, 2, 1].map((number) => `number ${number}`),
          'the pages',
        );
      },
    },
    ...['private', 'group'].map((type) => ({
      title: `a ${type} room is there for its members alone`,
      section: SECTION,
      run: async (trial: Trial) => {
        const [ada, ben] = [await trial.at.member('ada'), await trial.at.member('ben')];
        const id = await newRoom(trial, ada, type);
        const path = `/v1/chatrooms/${id}`;
        for (const answer of [
          await trial.get(ben, path),
          await trial.get(ben, `${path}/messages`),
          await trial.post(ben, `${path}/messages`, { message: 'Hello' }),
          await trial.post(ben, `${path}/join`),
        ])
          trial.ok(
            [403, 404].includes(answer.status),
            `a stranger is answered with ${answer.status}`,
            answer,
          );
        const { data } = (await trial.get(ben, `/v1/chatrooms?type=${type}&limit=100`)).body;
        trial.ok(!data.some((room: { id: string }) => room.id === id), 'a stranger finds the room');
        trial.accepted(await trial.post(ada, `${path}/messages`, { message: 'Hello' }), 201);
      },
    })),
    {
      title: 'a room is changed and deleted by its creator',
      section: 'part 2, "Chatrooms"',
      run: async (trial) => {
        const [ada, ben] = [await trial.at.member('ada'), await trial.at.member('ben')];
        const path = `/v1/chatrooms/${await newRoom(trial, ada, 'public')}`;
        trial.refused(await trial.put(ben, path, { name: 'Mine' }), 403);
        trial.refused(await trial.delete(ben, path), 403);
        trial.equal(
          trial.accepted(await trial.put(ada, path, { name: 'Renamed' }), 200).name,
          'Renamed',
          '"name"',
        );
        trial.refused(await trial.post(ada, '/v1/chatrooms', { name: 'x', type: 'secret' }), 422);
        trial.accepted(await trial.delete(ada, path), 200);
        trial.refused(await trial.get(ada, path), 404, undefined, 'Chatroom not found');
      },
    },
    {
      title: 'an educator has one chatroom',
      section: 'decisions, "Content, chat, and the rest"',
      needs: ['administrator' as const],
      run: async (trial) => {
        const [educator, ada] = [await trial.at.educator(), await trial.at.newMember()];
        const path = `/v1/educators/${educator.id}/chatroom`;
        const room = trial.accepted(await trial.get(ada, path), 200);
        trial.shape(room, { educatorId: 'id', name: 'string', rules: 'array', memberCount: 'integer' });
        trial.accepted(await trial.post(ada, `${path}/join`), 200);
        trial.equal(
          (await trial.get(ada, path)).body.data.memberCount,
          room.memberCount + 1,
          '"memberCount"',
        );
        trial.accepted(await trial.post(ada, `${path}/leave`), 200);
        trial.equal((await trial.get(ada, path)).body.data.memberCount, room.memberCount, '"memberCount"');
      },
    },
  ],
};
