import type { ScheduleUpstream } from '../../external/schedule/port.ts';
import type { Core } from '../../kernel/core.ts';
import { logWarning } from '../../kernel/log-warning.ts';
import { on, onInTransaction } from '../../kernel/messaging/events.ts';
import { type Identity, userChanged, userDeleted } from '../identity/contract.ts';
import type { Moderation, Reportable } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import { closingJob } from './closing.ts';
import { endings as endingsOf } from './ending.ts';
import { hostStore } from './hosts.store.ts';
import { hostRules } from './hosts.ts';
import { sessionEnded, sessionStarted } from './livestreams.live.ts';
import { livestreamMeasures } from './livestreams.measures.ts';
import type { Livestream } from './livestreams.model.ts';
import { livestreamNotices } from './livestreams.notices.ts';
import { livestreamOperations } from './livestreams.operations.ts';
import { livestreamInternalEvents, livestreamPublicEvents } from './livestreams.public-events.ts';
import { type LivestreamStore, livestreamStore } from './livestreams.store.ts';
import { type LivestreamRules, livestreamRules } from './livestreams.ts';
import { livestreamRecords } from './member-records.store.ts';
import { scheduleOperations } from './schedule.operations.ts';
import { scheduleStore } from './schedule.store.ts';
import { scheduleRules } from './schedule.ts';
import { type LivestreamViewing, livestreamViewing } from './viewing.ts';

interface LivestreamDeps
  extends Pick<Core, 'database' | 'events' | 'live' | 'audit' | 'clock' | 'newId' | 'log'> {
  fanOut: FanOut;
  notifications: Pick<Notifications, 'withdrawIn'>;
  upstream: ScheduleUpstream | undefined;
  moderation: Pick<Moderation, 'blockersOf' | 'intervene' | 'maySpeak'>;
  identity: Pick<Identity, 'cardsOf' | 'profilesOf' | 'exists'>;
}

/** Livestreams and the schedule. Owns the database schema `livestreams`. */
export function livestreamModule(deps: LivestreamDeps): Module<undefined> {
  const store = livestreamStore(deps.database);
  const endings = endingsOf(deps);
  const hosts = hostRules({ ...deps, store: hostStore(deps.database), endings });
  const streams = livestreamRules({ ...deps, store, hosts, endings });
  const viewing = livestreamViewing({ ...deps, store });
  const mirror = scheduleStore(deps.database);
  const schedule = scheduleRules({ ...deps, store: mirror, onError: logWarning(deps.log, 'the schedule') });
  return {
    name: 'livestreams',
    memberRecords: livestreamRecords,
    publicEvents: livestreamPublicEvents,
    internalEvents: livestreamInternalEvents,
    sections: {
      Livestreams: 'Streams of educators, planned and live.',
      Schedule: 'The published timetable of streams.',
    },
    topics: ['SESSIONS'],
    service: undefined,
    notices: livestreamNotices(store),
    measures: livestreamMeasures,
    live: { messages: [sessionStarted, sessionEnded] },
    operations: [
      ...livestreamOperations(streams, viewing),
      ...scheduleOperations(schedule, deps.identity.exists),
    ],
    reportables: [reportableOf(streams, viewing, store)],
    jobs: [...schedule.jobs, ...hosts.jobs, closingJob({ ...deps, store, endings })],
    subscriptions: [
      endings.subscription,
      onInTransaction(userChanged, 'livestreams', ({ data: card }, tx) => hosts.follow(tx, card)),
      on(userDeleted, 'livestreams', ({ data: { userId } }, tx) => mirror.forget(tx, userId)),
    ],
  };
}

const textOf = ({ title, description }: Pick<Livestream, 'title' | 'description'>): string =>
  `${title}\n${description}`.trim();

/** Livestreams are reported, whatever their state, by who may see them. */
const reportableOf = (
  streams: LivestreamRules,
  viewing: LivestreamViewing,
  store: Pick<LivestreamStore, 'findAll'>,
): Reportable => ({
  kind: 'livestream',
  find: async (id, reporter) => {
    const stream = await viewing.find(id, reporter);
    return { authorId: stream.hostId, text: textOf(stream), containerId: null };
  },
  remove: (tx, id) => streams.removeReportedIn(tx, id),
  textLeft: async (tx, id) => (await store.findAll([id], tx)).map(textOf)[0],
});
