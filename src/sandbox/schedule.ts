import type { FastifyInstance } from 'fastify';

interface Session {
  id: string;
  title: string;
  description?: string;
  educatorId: string;
  educatorName?: string;
  startsAt: string;
  endsAt: string;
}

type Mode = 'ok' | 'fail' | 'hang' | 'nonsense';

/**
 * Adds the upstream of the schedule: `GET /schedule/sessions?from&to`. `PUT /control/schedule {sessions}` sets the
 * sessions, `POST /control/schedule {mode}` makes it fail, hang or return nonsense.
 */
export function addSchedule(app: FastifyInstance): void {
  let sessions: Session[] = [];
  let mode: Mode = 'ok';

  app.get<{ Querystring: { from: string; to: string } }>(
    '/schedule/sessions',
    async ({ query: { from, to } }, reply) => {
      if (mode === 'fail') return reply.code(503).send({ error: 'failing on request' });
      if (mode === 'hang') return new Promise(() => undefined);
      if (mode === 'nonsense') return { sessions: [{ id: 7 }] };
      const isIn = ({ startsAt }: Session) => {
        const at = Date.parse(startsAt);
        return at >= Date.parse(from) && at < Date.parse(to);
      };
      return { sessions: sessions.filter(isIn) };
    },
  );
  app.put<{ Body: { sessions: Session[] } }>('/control/schedule', async ({ body }) => {
    sessions = body.sessions;
    return { sessions: sessions.length };
  });
  app.post<{ Body: { mode: Mode } }>('/control/schedule', async ({ body }) => {
    mode = body.mode;
    return { mode };
  });
}
