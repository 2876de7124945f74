import type { Area } from '../cases.ts';

const SECTION = 'decisions, "Analytics"';

export const analytics: Area = {
  name: 'analytics',
  cases: [
    {
      title: 'events are tracked, and one with the same eventId counts once',
      section: SECTION,
      run: async (trial) => {
        const member = await trial.at.newMember();
        const event = {
          eventName: 'page.view',
          eventType: 'navigation',
          metadata: { page: '/a' },
          eventId: crypto.randomUUID(),
        };
        const track = (body: object) => trial.post(member, '/v1/analytics/track', body);
        trial.equal(trial.accepted(await track(event), 202), { accepted: 1 }, 'the answer');
        trial.equal(trial.accepted(await track(event), 202), { accepted: 0 }, 'the answer to a duplicate');
        const old = new Date(Date.now() - 31 * 86_400_000).toISOString();
        const bulk = (events: object[]) => trial.post(member, '/v1/analytics/track/bulk', { events });
        trial.refused(await bulk([{ ...event, eventId: undefined, timestamp: old }]), 422);
        const one = { eventName: 'button.click', eventType: 'interaction', metadata: {} };
        trial.equal(
          trial.accepted(await bulk([one, one, event]), 202),
          { accepted: 2, duplicates: 1 },
          'the answer',
        );
        trial.refused(await bulk([one, { ...one, eventName: 5 }]), 422);
        trial.refused(await bulk(Array.from({ length: 1001 }, () => one)), 422);
        const { body } = await trial.get(member, '/v1/analytics/events?eventType=interaction');
        trial.equal(body.pagination.total, 2, 'the number of events');
        trial.shape(body.data[0], { id: 'string', userId: 'id', eventName: 'string', timestamp: 'instant' });
        const stats = trial.accepted(await trial.get(member, '/v1/analytics/user/stats'), 200);
        trial.equal([stats.totalEvents, stats.eventsThisWeek], [3, 3], 'the statistics');
        trial.shape(stats, {
          mostCommonEvents: 'array',
          engagement: 'object',
          trading: 'object',
          education: 'object',
        });
        const days = trial.accepted(await trial.get(member, '/v1/analytics/user/activity'), 200);
        trial.equal(
          [days.length, days[0].events, days[0].breakdown['button.click']],
          [1, 3, 2],
          'the activity',
        );
      },
    },
    {
      title: 'reports are for administrators, and have their shapes',
      section: 'part 2, "Analytics and search"',
      needs: ['administrator'],
      run: async (trial) => {
        const admin = trial.at.admin;
        for (const period of ['7d', '30d', '90d', '1y']) {
          const data = trial.accepted(
            await trial.get(admin, `/v1/analytics/dashboard?period=${period}`),
            200,
          );
          trial.shape(data.overview, {
            totalUsers: 'integer',
            activeUsers: 'integer',
            newUsers: 'integer',
            totalRevenue: 'number',
          });
          trial.shape(data.traffic, {
            pageViews: 'integer',
            uniqueVisitors: 'integer',
            averageSessionDuration: 'number',
          });
          trial.shape(data.trading, { tradesCreated: 'integer', tradesWon: 'integer', winRate: 'number' });
        }
        trial.refused(await trial.get(admin, '/v1/analytics/dashboard?period=2d'), 422);
        const funnel = { eventSequence: ['signup.completed', 'course.enrolled'], source: 'platform' };
        const { funnel: steps } = trial.accepted(
          await trial.post(admin, '/v1/analytics/funnel', funnel),
          200,
        );
        trial.equal([steps.length, steps[0].step, steps[0].dropoff], [2, 1, 0], 'the funnel');
        trial.ok(steps[1].count <= steps[0].count, 'a later step counts more than the first');
        for (const groupBy of ['day', 'week', 'month'])
          trial.accepted(await trial.get(admin, `/v1/analytics/aggregate?groupBy=${groupBy}`), 200);
        trial.refused(await trial.get(admin, '/v1/analytics/aggregate?groupBy=hour'), 422);
        for (const name of ['types', 'popular'])
          trial.ok(
            Array.isArray(trial.accepted(await trial.get(admin, `/v1/analytics/events/${name}`), 200)),
            'no list',
          );
      },
    },
    {
      title: 'leaderboards have four boards, and refuse what they do not know',
      section: 'part 2, "Leaderboards"',
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        const path = '/v1/analytics/leaderboards';
        const boards = trial.accepted(await trial.get(ada, path), 200);
        trial.equal([boards.period.key, boards.filters.limit], ['7d', 10], 'the defaults');
        trial.shape(boards, {
          partial: 'boolean',
          unavailable: 'array',
          totals: 'object',
          lastUpdated: 'instant',
        });
        for (const board of ['topConcurrentEducators', 'topGifters', 'topGifted', 'topViewers']) {
          trial.ok(Array.isArray(boards[board]), `${board} is no list`);
          const ranks = boards[board].map(({ rank }: { rank: number }) => rank);
          trial.equal(
            ranks,
            ranks.map((_: number, place: number) => place + 1),
            `the ranks of ${board}`,
          );
        }
        trial.equal((await trial.get(ada, `${path}?limit=500`)).body.data.filters.limit, 50, '"limit"');
        const query = 'startDate=2025-01-01&endDate=2025-01-31';
        trial.equal(
          (await trial.get(ada, `${path}?${query}`)).body.data.period.key,
          'custom',
          '"period.key"',
        );
        for (const wrong of [
          'period=2d',
          'platform=watch',
          'contentType=song',
          'startDate=2025-02-01&endDate=2025-01-01',
        ])
          trial.refused(await trial.get(ada, `${path}?${wrong}`), 422);
        trial.refused(await trial.get(ada, '/v1/admin/analytics/leaderboards'), 403);
      },
    },
    {
      title: 'the search needs words, and remembers them for the member',
      section: 'part 2, "Analytics and search"; decisions, "Search"',
      run: async (trial) => {
        const member = await trial.at.newMember();
        trial.refused(await trial.get(member, '/v1/search'), 422);
        trial.refused(await trial.get(member, '/v1/search?q=%20%20'), 422);
        trial.refused(await trial.get(member, '/v1/search?q=a&type=song'), 422);
        const answer = await trial.get(member, `/v1/search?q=conformance+${trial.at.run}`);
        const { results, totalResults } = trial.accepted(answer, 200);
        trial.ok(Array.isArray(results) && Number.isInteger(totalResults), 'the results have another shape');
        const byAddress = await trial.get(
          member,
          `/v1/search?type=user&q=${encodeURIComponent(member.email)}`,
        );
        trial.ok(!byAddress.text.includes(member.email), 'a member is found by their address');
        const history = trial.accepted(await trial.get(member, '/v1/search/history'), 200);
        trial.equal(history.length, 2, 'the length of the history');
        trial.shape(history[0], { query: 'string', resultCount: 'integer', searchedAt: 'instant' });
        trial.ok(
          Array.isArray(trial.accepted(await trial.get(member, '/v1/search/suggestions?q=re'), 200)),
          'no list',
        );
        trial.accepted(await trial.delete(member, '/v1/search/history'), 200);
        trial.equal(trial.accepted(await trial.get(member, '/v1/search/history'), 200), [], 'the history');
      },
    },
    {
      title: 'a watch session is its member’s own, and ends once',
      section: 'decisions, "Watch sessions"',
      run: async (trial) => {
        const [ada, ben] = [await trial.at.member('ada'), await trial.at.member('ben')];
        const body = { contentType: 'lesson', contentId: 'a'.repeat(24), platform: 'web' };
        const { id } = trial.accepted(await trial.post(ada, '/v1/watch-sessions', body), 201);
        trial.accepted(
          await trial.put(ada, `/v1/watch-sessions/${id}/heartbeat`, { positionSeconds: 5 }),
          200,
        );
        trial.refused(await trial.put(ben, `/v1/watch-sessions/${id}/heartbeat`, {}), 404);
        trial.accepted(await trial.post(ada, `/v1/watch-sessions/${id}/end`), 200);
        trial.ok(
          (await trial.put(ada, `/v1/watch-sessions/${id}/heartbeat`, {})).status === 409,
          'it goes on',
        );
        trial.refused(await trial.post(ada, '/v1/watch-sessions', { ...body, platform: 'tv' }), 422);
      },
    },
  ],
};
