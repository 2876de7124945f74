import type { Area } from '../cases.ts';

const SECTION = 'part 2, "Educators"';
const NOBODY = 'f'.repeat(24);

export const educators: Area = {
  name: 'educators',
  cases: [
    {
      title: 'educators are shown to members, and nobody else is one',
      section: 'part 2, "Educators" and "Errors"',
      needs: ['administrator'],
      run: async (trial) => {
        const [educator, ada] = [await trial.at.educator(), await trial.at.member('ada')];
        const shown = trial.accepted(await trial.get(ada, `/v1/educators/${educator.id}`), 200);
        trial.shape(shown, { id: 'id', firstName: 'string', lastName: 'string', username: 'string' });
        trial.ok(shown.permissions.includes('educator'), 'the permissions do not have "educator"');
        trial.refused(await trial.get(ada, '/v1/educators/x'), 400, undefined, 'Invalid educator ID');
        trial.refused(await trial.get(ada, `/v1/educators/${NOBODY}`), 404, undefined, 'Educator not found');
        const member = await trial.get(ada, `/v1/educators/${ada.id}`);
        trial.refused(member, 403, undefined, 'User does not have educator permission');
        const { body } = await trial.get(ada, '/v1/educators');
        trial.equal(body.pagination.limit, 20, 'the limit of educators');
      },
    },
    {
      title: 'educators change their own profile',
      section: 'part 2, "Educators" and "Errors"',
      needs: ['administrator'],
      run: async (trial) => {
        const [educator, ada] = [await trial.at.educator(), await trial.at.member('ada')];
        const path = `/v1/educators/${educator.id}/profile`;
        const profile = { educator_title: 'Reader', educator_bio: 'x'.repeat(2000), skills: ['Futures'] };
        const changed = trial.accepted(await trial.patch(educator, path, profile), 200);
        trial.equal([changed.educator_title, changed.skills], ['Reader', ['Futures']], 'the profile');
        const long = await trial.patch(educator, path, { educator_bio: 'x'.repeat(2001) });
        trial.refused(long, 400, undefined, 'Educator bio must be 2000 characters or less');
        for (const body of [{}, { nothing: 1 }])
          trial.refused(
            await trial.patch(educator, path, body),
            400,
            undefined,
            'No valid educator profile fields provided',
          );
        const unknown = await trial.patch(educator, path, { socials: { myspace: 'https://example.com' } });
        trial.refused(unknown, 422, 'VALIDATION_FAILED');
        trial.refused(await trial.patch(ada, path, { educator_title: 'Mine' }), 403);
      },
    },
    {
      title: 'members follow and unfollow educators, but not themselves',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const [educator, fan] = [await trial.at.educator(), await trial.at.newMember()];
        const path = `/v1/educators/${educator.id}`;
        const status = async () => trial.accepted(await trial.get(fan, `${path}/following`), 200);
        trial.equal((await status()).isFollowing, false, '"isFollowing"');
        const followed = trial.accepted(await trial.post(fan, `${path}/follow`), 201);
        trial.equal([followed.educatorId, followed.userId], [educator.id, fan.id], 'the answer');
        trial.shape(followed, { followedAt: 'instant' });
        trial.ok(
          [200, 201].includes((await trial.post(fan, `${path}/follow`)).status),
          'following twice is refused',
        );
        trial.equal((await status()).isFollowing, true, '"isFollowing"');
        const list = (await trial.get(fan, '/v1/educators/following')).body.data;
        trial.equal(
          list.map(({ id }: { id: string }) => id),
          [educator.id],
          'whom the member follows',
        );
        trial.accepted(await trial.delete(fan, `${path}/follow`), 200);
        trial.equal((await status()).isFollowing, false, '"isFollowing"');
        trial.refused(await trial.post(educator, `${path}/follow`), 400);
        trial.refused(await trial.post(fan, `/v1/educators/${NOBODY}/follow`), 404);
      },
    },
    {
      title: 'announcements are posted by the educator, liked and commented on by members',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const [educator, fan] = [await trial.at.educator(), await trial.at.newMember()];
        const path = `/v1/educators/${educator.id}/announcements`;
        const body = { title: 'News', content: 'Three levels.', priority: 'normal', tags: ['gold'] };
        const refused = await trial.post(fan, path, body);
        trial.refused(refused, 403);
        await trial.post(fan, `/v1/educators/${educator.id}/follow`);
        const made = trial.accepted(await trial.post(educator, path, body), 201);
        trial.at.onClose(educator, 'DELETE', `/v1/educators/announcements/${made.id}`);
        trial.equal(
          [made.educatorId, made.title, made.tags],
          [educator.id, 'News', ['gold']],
          'the announcement',
        );
        const own = `/v1/educators/announcements/${made.id}`;
        trial.accepted(await trial.post(fan, `${own}/like`), 201);
        await trial.post(fan, `${own}/like`);
        const comment = trial.accepted(await trial.post(fan, `${own}/comments`, { content: 'Thanks!' }), 201);
        const { body: list } = await trial.get(fan, path);
        const shown = list.data.find(({ id }: { id: string }) => id === made.id);
        trial.equal([shown.reactions.likes, shown.reactions.comments], [1, 1], '"reactions"');
        const feed = (await trial.get(fan, '/v1/educators/announcements/feed')).body.data;
        trial.ok(
          feed.some(({ id }: { id: string }) => id === made.id),
          'the feed lacks it',
        );
        trial.refused(
          await trial.delete(
            await trial.at.member('ada'),
            `/v1/educators/announcements/comments/${comment.id}`,
          ),
          403,
        );
        trial.accepted(await trial.delete(fan, `/v1/educators/announcements/comments/${comment.id}`), 200);
        trial.accepted(await trial.delete(fan, `${own}/like`), 200);
        trial.accepted(await trial.delete(educator, own), 200);
        trial.refused(await trial.post(fan, `${own}/like`), 404);
      },
    },
    {
      title: 'stories are seen once, and their viewers by the educator alone',
      section: 'part 2, "Educators"; decisions, "Educators"',
      needs: ['administrator'],
      run: async (trial) => {
        const [educator, fan] = [await trial.at.educator(), await trial.at.newMember()];
        const path = `/v1/educators/${educator.id}/stories`;
        const body = { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.jpg' };
        trial.refused(await trial.post(fan, path, body), 403);
        trial.refused(await trial.post(educator, path, { ...body, mediaType: 'sound' }), 422);
        const story = trial.accepted(await trial.post(educator, path, body), 201);
        trial.at.onClose(educator, 'DELETE', `/v1/educators/stories/${story.id}`);
        const lives = Date.parse(story.expiresAt) - Date.parse(story.createdAt);
        trial.ok(lives > 0, 'the story expires before it begins');
        const viewed = async () => {
          const { body: list } = await trial.get(fan, path);
          return list.data.find(({ id }: { id: string }) => id === story.id)?.viewed;
        };
        trial.equal(await viewed(), false, '"viewed"');
        trial.accepted(await trial.post(fan, `/v1/educators/stories/${story.id}/view`), 200);
        await trial.post(fan, `/v1/educators/stories/${story.id}/view`);
        trial.equal(await viewed(), true, '"viewed"');
        trial.refused(await trial.get(fan, `/v1/educators/stories/${story.id}/viewers`), 403);
        const viewers = (await trial.get(educator, `/v1/educators/stories/${story.id}/viewers`)).body.data;
        trial.equal(viewers.length, 1, 'the number of viewers');
        trial.accepted(await trial.delete(educator, `/v1/educators/stories/${story.id}`), 200);
        trial.refused(await trial.post(fan, `/v1/educators/stories/${story.id}/view`), 404);
      },
    },
    {
      title: 'a tip moves Keys to the educator, and stands in both histories as a gift',
      section: 'part 2, "Educators"; decisions, "Wallet"',
      needs: ['administrator'],
      run: async (trial) => {
        const educator = await trial.at.educator('a tipped educator');
        const fan = await trial.at.newMemberWith(20);
        const path = `/v1/educators/${educator.id}/tip`;
        const tip = trial.accepted(await trial.post(fan, path, { amount: 5, message: 'Thanks' }), 201);
        trial.shape(tip, { transactionId: 'string', createdAt: 'instant' });
        trial.equal([tip.amount, tip.educatorId, tip.message], [5, educator.id, 'Thanks'], 'the tip');
        trial.refused(await trial.post(fan, path, { amount: 16 }), 400, 'INSUFFICIENT_BALANCE');
        trial.refused(await trial.post(educator, path, { amount: 1 }), 400);
        for (const who of [fan, educator]) {
          const { data } = (await trial.get(who, '/v1/wallets/transactions?type=transfer')).body;
          trial.equal([data[0].amount, data[0].metadata.gift], [5, true], 'the transaction');
        }
        const sent = (await trial.get(fan, '/v1/educators/tips/sent')).body.data;
        trial.equal(
          sent.map((one: { transactionId: string }) => one.transactionId),
          [tip.transactionId],
          'tips sent',
        );
        const received = await trial.get(educator, `/v1/educators/${educator.id}/tips`);
        trial.equal(received.body.data[0].transactionId, tip.transactionId, 'tips received');
        trial.refused(await trial.get(fan, `/v1/educators/${educator.id}/tips`), 403);
      },
    },
    {
      title: 'who loses the permission is hidden until it returns',
      section: 'decisions, "Educators"',
      needs: ['administrator'],
      run: async (trial) => {
        const educator = await trial.at.newMember();
        const ada = await trial.at.member('ada');
        const path = `/v1/user/${educator.id}/permissions`;
        const grant = () => trial.post(trial.at.admin, `${path}/assign`, { permissions: ['educator'] });
        const see = () => trial.get(ada, `/v1/educators/${educator.id}`);
        trial.refused(await see(), 403, undefined, 'User does not have educator permission');
        await grant();
        trial.accepted(await see(), 200);
        await trial.post(trial.at.admin, `${path}/unassign`, { permissions: ['educator'] });
        trial.refused(await see(), 403, undefined, 'User does not have educator permission');
        await grant();
        trial.accepted(await see(), 200);
      },
    },
  ],
};
