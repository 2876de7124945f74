import type { ScheduleUpstream } from '../../external/schedule/port.ts';
import type { Core } from '../../kernel/core.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { logWarning } from '../../kernel/log-warning.ts';
import { on } from '../../kernel/messaging/events.ts';
import { userDeleted } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut } from '../notifications/contract.ts';
import { sessionStarted } from './livestreams.live.ts';
import { livestreamMeasures } from './livestreams.measures.ts';
import { livestreamNotices } from './livestreams.notices.ts';
import { livestreamOperations } from './livestreams.operations.ts';
import { livestreamPublicEvents } from './livestreams.public-events.ts';
import { livestreamStore } from './livestreams.store.ts';
import { livestreamRules } from './livestreams.ts';
import { livestreamRecords } from './member-records.store.ts';
import { scheduleOperations } from './schedule.operations.ts';
import { scheduleStore } from './schedule.store.ts';
import { scheduleRules } from './schedule.ts';

interface LivestreamDeps extends Pick<Core, 'database' | 'events' | 'live' | 'clock' | 'newId' | 'log'> {
  fanOut: FanOut;
  upstream: ScheduleUpstream | undefined;
  moderation: Pick<Moderation, 'blockersOf' | 'intervene'>;
  permissionsOf: (userId: ObjectId) => Promise<string[] | undefined>;
}

/** Livestreams and the schedule. Owns the database schema `livestreams`. */
export function livestreamModule(deps: LivestreamDeps): Module<undefined> {
  const store = livestreamStore(deps.database);
  const streams = livestreamRules({ ...deps, store });
  const mirror = scheduleStore(deps.database);
  const schedule = scheduleRules({ ...deps, store: mirror, onError: logWarning(deps.log, 'the schedule') });
  return {
    name: 'livestreams',
    memberRecords: livestreamRecords,
    publicEvents: livestreamPublicEvents,
    sections: {
      Livestreams: 'Streams of educators, planned and live.',
      Schedule: 'The published timetable of streams.',
    },
    topics: ['SESSIONS'],
    service: undefined,
    notices: livestreamNotices(store),
    measures: livestreamMeasures,
    live: { messages: [sessionStarted] },
    operations: [
      ...livestreamOperations(streams),
      ...scheduleOperations(schedule, async (userId) => (await deps.permissionsOf(userId)) !== undefined),
    ],
    jobs: schedule.jobs,
    subscriptions: [
      on(userDeleted, 'livestreams', async ({ data: { userId } }, tx) => {
        await streams.closeOf(tx, userId);
        await mirror.forget(tx, userId);
      }),
    ],
  };
}
