import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { modeOf, taking } from './taking.ts';

/** An instant that `Date` reads. */
const Instant = Type.String({ format: 'instant' });
const Sessions = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      description: Type.Optional(Type.String()),
      educatorId: Type.String(),
      educatorName: Type.Optional(Type.String()),
      startsAt: Instant,
      endsAt: Instant,
    }),
  ),
});
type Session = Static<typeof Sessions>['sessions'][number];

const MODES = ['ok', 'fail', 'hang', 'nonsense'] as const;
type Mode = (typeof MODES)[number];

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
  app.put(
    '/control/schedule',
    taking(Sessions, ({ body }) => {
      sessions = body.sessions;
      return { sessions: sessions.length };
    }),
  );
  app.post(
    '/control/schedule',
    taking(modeOf(MODES), ({ body }) => {
      mode = body.mode;
      return { mode };
    }),
  );
}
