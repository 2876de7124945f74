import { type Static, Type } from 'typebox';
import { administrator, member } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { spelled } from '../../kernel/text/numbers.ts';
import { hostNotFound } from './hosts.ts';
import { ScheduleShape, SyncShape } from './livestreams.schemas.ts';
import { ScheduleQuery, SyncScheduleQuery } from './schedule.schemas.ts';
import { MIRROR_EVERY_MINUTES, type ScheduleRules, scheduleUnavailable, UPCOMING_DAYS } from './schedule.ts';

const tag = 'Schedule';
const zoneOf = ({ timezone = 'UTC' }: Static<typeof ScheduleQuery>): string => timezone;

export const scheduleOperations = (
  schedule: ScheduleRules,
  exists: (userId: string) => Promise<boolean>,
): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/streams/schedule/week',
    id: 'getScheduleOfWeek',
    tag,
    summary: 'Retrieve the schedule of this week, from Monday',
    access: member,
    query: ScheduleQuery,
    success: ok(ScheduleShape),
    handle: ({ query }) => schedule.week(zoneOf(query)),
  }),
  operation({
    method: 'GET',
    path: '/v1/streams/schedule/today',
    id: 'getScheduleOfToday',
    tag,
    summary: "Retrieve today's schedule",
    access: member,
    query: ScheduleQuery,
    success: ok(ScheduleShape),
    handle: ({ query }) => schedule.today(zoneOf(query)),
  }),
  operation({
    method: 'GET',
    path: '/v1/streams/schedule/educator/:educatorId',
    id: 'getScheduleOfEducator',
    tag,
    summary: `List an educator's sessions for the next ${UPCOMING_DAYS} days, today included`,
    access: member,
    params: Type.Object({ educatorId: pathId('educator') }),
    query: ScheduleQuery,
    success: ok(ScheduleShape),
    failures: [hostNotFound],
    load: async ({ params }) => {
      if (!(await exists(params.educatorId))) throw hostNotFound();
    },
    handle: ({ params, query }) => schedule.ofEducator(params.educatorId, zoneOf(query)),
  }),
  operation({
    method: 'POST',
    path: '/v1/streams/schedule/sync',
    id: 'syncSchedule',
    tag,
    summary: 'Synchronize the schedule mirror now',
    description: `With \`dryRun=true\` it only reports. It happens by itself every ${spelled(MIRROR_EVERY_MINUTES)} minutes.`,
    access: administrator,
    query: SyncScheduleQuery,
    success: ok(SyncShape, { message: 'Schedule synchronized' }),
    failures: [scheduleUnavailable],
    handle: ({ query: { dryRun = false }, caller, facts }) => schedule.sync(dryRun, actorOf(caller, facts)),
  }),
];
