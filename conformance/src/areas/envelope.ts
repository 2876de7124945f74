import type { Area } from '../cases.ts';
import type { Trial } from '../trial.ts';

const ENVELOPE = 'decisions, "Envelope and errors"';

/** A valid request; each case changes one part of it. */
const POST = '/v1/analytics/track';
const event = { eventName: 'page.view', eventType: 'navigation', metadata: {} };

const refusedText = async (trial: Trial, text: string, status: number, headers = {}): Promise<void> => {
  const ada = await trial.at.member('ada');
  trial.refused(await trial.sendText(ada, 'POST', POST, text, headers), status);
};

export const envelope: Area = {
  name: 'envelope',
  cases: [
    {
      title: 'a success has the envelope and nothing besides',
      section: 'part 1, "Response envelope"',
      run: async (trial) => {
        const answer = await trial.get(await trial.at.member('ada'), '/v1/user/profile');
        trial.accepted(answer, 200);
        trial.equal(
          Object.keys(answer.body).sort(),
          ['data', 'message', 'meta', 'status', 'success'],
          'the fields',
        );
        trial.equal(answer.headers.get('cache-control'), 'no-store', 'cache-control');
      },
    },
    {
      title: 'a list has its pagination',
      section: 'part 1, "Response envelope"',
      run: async (trial) => {
        const answer = await trial.get(await trial.at.member('ada'), '/v1/courses');
        trial.accepted(answer, 200);
        trial.ok(Array.isArray(answer.body.data), 'the data are no list');
        trial.equal(answer.body.pagination.page, 1, '"page"');
        trial.equal(answer.body.pagination.limit, 10, '"limit" of courses');
      },
    },
    {
      title: 'without an API key it says which is missing, and an unknown one is invalid',
      section: 'decisions, "API keys, limits"',
      run: async (trial) => {
        trial.refused(await trial.get({ headers: {} }, '/v1/courses'), 401, undefined, 'API key is required');
        for (const key of ['x', 'pk_development_1_2', 'pk_production_1_2', 'x'.repeat(200)]) {
          const answer = await trial.get({ headers: { 'x-api-key': key } }, '/v1/courses');
          trial.refused(answer, 401, undefined, 'Invalid API key');
        }
      },
    },
    {
      title: 'what is no JSON is 400, and another type of content 415',
      section: ENVELOPE,
      run: async (trial) => {
        for (const text of ['{', '{"a":}', 'null x', '{"a":1,}', "{'a':1}"])
          await refusedText(trial, text, 400);
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/xml'])
          await refusedText(trial, '{}', 415, { 'content-type': type });
      },
    },
    {
      title: 'a body beyond its limit is 413',
      section: ENVELOPE,
      run: (trial) => refusedText(trial, JSON.stringify({ ...event, padding: 'x'.repeat(1_100_000) }), 413),
    },
    {
      title: 'NUL, lone surrogates and JSON deeper than 32 are 400',
      section: ENVELOPE,
      run: async (trial) => {
        await refusedText(trial, JSON.stringify({ ...event, eventName: 'a\0b' }), 400);
        await refusedText(trial, '{"eventName":"\\ud800","eventType":"navigation","metadata":{}}', 400);
        const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
        await refusedText(trial, `{"eventName":"x","eventType":"y","metadata":${deep}}`, 400);
      },
    },
    {
      title: 'all faults of a body are told at once, with their fields',
      section: ENVELOPE,
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        const answer = await trial.post(ada, POST, { eventName: 5, metadata: 'x' });
        trial.refused(answer, 422, 'VALIDATION_FAILED', 'Validation failed');
        const fields = answer.body.errors.map(({ field }: { field: string }) => field);
        for (const field of ['eventName', 'eventType', 'metadata'])
          trial.ok(fields.includes(field), `"${field}" is not among the errors`);
      },
    },
    {
      title: 'bodies are not coerced, and a null for an optional field counts as absent',
      section: 'decisions, "Identifiers, numbers, time" and "Later rulings"',
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        const quoted = await trial.post(ada, '/v1/exchange-rates/convert/keys-to-usd', { keys: '5' });
        trial.refused(quoted, 422);
        const path = '/v1/exchange-rates/convert/keys-to-usd';
        trial.accepted(await trial.sendText(ada, 'POST', path, '{"keys":5.0,"currency":null}'), 200);
      },
    },
    {
      title: 'unknown fields of a body are ignored and named, unknown parameters refused',
      section: 'decisions, "Later rulings"',
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        const answer = await trial.patch(ada, '/v1/user/profile', {
          firstName: 'Conformance',
          permissions: ['admin'],
        });
        trial.accepted(answer, 200);
        trial.equal(answer.body.meta.ignored, ['permissions'], '"meta.ignored"');
        const { data } = (await trial.get(ada, `/v1/user/${ada.id}/permissions`)).body;
        trial.ok(!data.permissions.includes('admin'), 'the member has made themselves an administrator');
        const refused = await trial.get(ada, '/v1/courses?wrong=1');
        trial.refused(refused, 422, 'VALIDATION_FAILED');
        trial.equal(refused.body.errors, [{ field: 'wrong', message: 'Unknown parameter' }], '"errors"');
      },
    },
    {
      title: 'pages begin at 1, and a limit above the maximum is lowered',
      section: ENVELOPE,
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        for (const query of [
          'page=0',
          'page=-1',
          'page=x',
          'limit=0',
          'limit=x',
          'page=1&page=2',
          'page=1.5',
        ])
          trial.refused(await trial.get(ada, `/v1/courses?${query}`), 422);
        for (const [path, most] of [
          ['/v1/courses', 100],
          ['/v1/educators', 50],
          ['/v1/notifications', 50],
          ['/v1/chatrooms', 100],
          ['/v1/wallets/transactions', 100],
        ] as const) {
          const { body } = await trial.get(ada, `${path}?limit=5000`);
          trial.equal(body.pagination.limit, most, `the limit of ${path}`);
        }
      },
    },
    {
      title: 'an unknown route is 404, letter case counts, and a slash at the end does not',
      section: ENVELOPE,
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        for (const path of ['/v1/nothing', '/v1/Courses', '/v2/courses', '/V1/courses'])
          trial.refused(await trial.get(ada, path), 404, 'ROUTE_NOT_FOUND');
        trial.accepted(await trial.get(ada, '/v1/courses/'), 200);
      },
    },
    {
      title: 'a malformed id is 400, and one that nobody has 404',
      section: 'decisions, "Identifiers, numbers, time"',
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        for (const [path, thing] of [
          ['courses', 'course'],
          ['lessons', 'lesson'],
          ['chatrooms', 'chatroom'],
          ['educators', 'educator'],
          ['streams/scanners', undefined],
        ] as const) {
          for (const id of ['x', '1'.repeat(23), 'G'.repeat(24), 'A'.repeat(24)]) {
            const answer = await trial.get(ada, `/v1/${path}/${id}`);
            trial.refused(answer, 400);
            if (thing) trial.equal(answer.body.message, `Invalid ${thing} ID`, '"message"');
          }
          const answer = await trial.get(ada, `/v1/${path}/${'f'.repeat(24)}`);
          trial.refused(answer, 404);
          if (thing)
            trial.equal(
              answer.body.message,
              `${thing[0]?.toUpperCase()}${thing.slice(1)} not found`,
              '"message"',
            );
        }
      },
    },
  ],
};
