import pg from 'pg';
import type { Attack, Attacks, Stage } from './stage.ts';

const HOARDED_EVENTS = 40_000;
const LESSONS = 150;
const LONG_DOCUMENTS = 3_000;
const WORDS = ['gold', 'breaks', 'lesson', 'trading', 'tape'];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Attacks that consist of whole requests, whose responses are read. */
export function requestAttacks(stage: Stage): Attacks {
  const { send, post, attacker, educator, conspirators, administrator, prepare } = stage;
  const own = attacker.headers;
  const bulk =
    (body: string): Attack =>
    () =>
      post('/v1/analytics/track/bulk', own, body);
  const inTurn =
    (paths: string[], headers = own, method = 'GET'): Attack =>
    (number) =>
      send(paths[number % paths.length] as string, headers, { method });
  const conspirator = (number: number) =>
    (conspirators[number % conspirators.length] as (typeof conspirators)[number]).headers;

  return {
    'reference page': async () => inTurn(['/reference/js/scalar.js'], {}),
    descriptions: async () => inTurn(['/openapi.json'], {}),
    'pages for strangers': async () =>
      inTurn(['/', '/reference', '/reference/live', '/asyncapi.json', '/nothing', '/health/ready'], {}),
    'one-click form': async () => () =>
      send('/v1/notifications/unsubscribe?token=x', FORM, { method: 'POST', body: 'a=1&'.repeat(4096) }),
    'bulk of empty lists': async () => bulk(`{"events":[${'[],'.repeat(340_000)}[]]}`),
    'bulk of escapes': async () => bulk(`{"events":[{"eventName":"${'\\u0041'.repeat(170_000)}"}]}`),
    'bulk of escaped names': async () => bulk(`{"events":[{${'"\\u0061":1,'.repeat(90_000)}"b":1}]}`),
    'bulk of deep values': async () => bulk(`{"events":[{"properties":${deep(45_000)}}]}`),
    'bulk of other names': async () => bulk(JSON.stringify({ events: distinctProperties(49_000) })),
    'deep small bodies': async () => () => post('/v1/analytics/track', own, deep(20_000)),
    'own figures': async () => {
      await hoardEvents(stage);
      return inTurn([
        '/v1/analytics/user/stats',
        '/v1/analytics/user/activity?days=90',
        '/v1/analytics/events?page=100&limit=100',
      ]);
    },
    'pages far behind': async () =>
      inTurn(
        ['/v1/wallets/transactions', '/v1/notifications', '/v1/chatrooms', '/v1/courses', '/v1/user'].map(
          (path) => `${path}?page=100000&limit=100`,
        ),
      ),
    searches: async () => (number) =>
      send(
        `/v1/search?limit=100&q=${WORDS[number % WORDS.length]}+${WORDS[(number + 1) % WORDS.length]}`,
        own,
      ),
    'searches of long texts': async () => {
      await writeLongDocuments(stage);
      return inTurn(
        ['training+g', 'trading', 'tráding+ends', 'tradeng+plan'].map((q) => `/v1/search?limit=100&q=${q}`),
      );
    },
    suggestions: async () => inTurn(['t', 'tr', 'tra', 'end'].map((q) => `/v1/search/suggestions?q=${q}`)),
    'lessons of a module': async () => {
      const moduleId = await fillModule(stage);
      return inTurn([`/v1/lessons?moduleId=${moduleId}`], educator.headers);
    },
    'exports of events': async () => inTurn(['/v1/analytics/events/export'], administrator),
    'HEAD of exports': async () =>
      inTurn(
        ['/v1/analytics/events/export', `/v1/wallets/admin/${attacker.id}/statement`, '/openapi.json'],
        administrator,
        'HEAD',
      ),
    'names of events': async () => (number) => {
      const events = Array.from({ length: 1000 }, (_, place) => ({
        eventName: `name.${number}.${place}`,
        eventType: 'engagement',
        timestamp: new Date().toISOString(),
      }));
      return post('/v1/analytics/track/bulk', conspirator(number), JSON.stringify({ events }));
    },
    'watch sessions': async () => {
      const { id: contentId } = await prepare('/v1/chatrooms', own, { name: 'Watched', type: 'public' });
      const session = JSON.stringify({ contentType: 'lesson', contentId, platform: 'web' });
      return (number) => post('/v1/watch-sessions', conspirator(number), session);
    },
    preferences: async () => (number) =>
      post(
        '/push-notifications/preferences',
        own,
        JSON.stringify({ preferences: { email: number % 2 === 0, push: true } }),
        'PUT',
      ),
    'wrong passwords': async () => (number) =>
      post(
        '/v1/auth/signin',
        own,
        JSON.stringify({ email: `nobody${number}@example.com`, password: 'wrong password', platform: 'web' }),
      ),
    scrapes: async () => inTurn(['/metrics'], {}),
  };
}

/** Returns JSON with about this many values, in lists nested to the permitted depth. */
const deep = (values: number): string => {
  const tower = `${'['.repeat(25)}${']'.repeat(25)}`;
  return `{"a":[${Array.from({ length: Math.floor(values / 25) }, () => tower).join(',')}]}`;
};

const distinctProperties = (values: number) => [
  {
    eventName: 'page.view',
    properties: Object.fromEntries(Array.from({ length: values }, (_, at) => [`n${at}`, at])),
  },
];

/** Tracks many events of the attacker, which the statistics then read. */
async function hoardEvents({ prepare, attacker }: Stage): Promise<void> {
  for (let sent = 0; sent < HOARDED_EVENTS; sent += 1000) {
    const events = Array.from({ length: 1000 }, (_, number) => ({
      eventName: 'page.view',
      eventType: 'engagement',
      timestamp: new Date(Date.now() - ((sent + number) % 29) * 86_400_000).toISOString(),
    }));
    await prepare('/v1/analytics/track/bulk', attacker.headers, { events });
  }
}

/** Creates a module whose lessons have the maximum size, and returns its id. */
async function fillModule({ prepare, post, administrator, educator }: Stage): Promise<string> {
  const { id, headers } = educator;
  await prepare(`/v1/user/${id}/permissions/assign`, administrator, { permissions: ['educator'] });
  const course = await prepare('/v1/courses', headers, { title: 'Long', description: 'Long.' });
  const { id: moduleId } = await prepare(`/v1/courses/${course.id}/modules`, headers, { title: 'Long' });
  for (let number = 0; number < LESSONS; number++) {
    const lesson = { moduleId, title: `Lesson ${number}`, description: 'long '.repeat(900) };
    const status = await post('/v1/lessons', headers, JSON.stringify(lesson));
    if (status !== 201) break;
  }
  return moduleId;
}

/** Adds documents that every member may find, most of whose words have prefixes that are searched for. */
async function writeLongDocuments({ fixture }: Stage): Promise<void> {
  const client = new pg.Client({ connectionString: fixture.databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into search.document (type, id, title, body, title_key, audiences, has_name, prominence, created_at,
         title_words, words)
       select 'post', lpad(to_hex(number), 24, '0'), 'Long ' || number, text, 'long ' || number, array['all'], false,
         number, now(), to_tsvector('search.english', 'long ' || number) || array_to_tsvector(array['/post']),
         to_tsvector('search.english', 'long ' || text) || array_to_tsvector(array['/post'])
       from (select repeat('trainings gé', 400) || ' trading plan ends' as text) as written,
         generate_series(1, $1::int) as number`,
      [LONG_DOCUMENTS],
    );
    await client.query('analyze search.document');
  } finally {
    await client.end();
  }
}
