import type { Core } from '../../kernel/core.ts';
import { on } from '../../kernel/messaging/events.ts';
import { retention } from '../../kernel/records/retention.ts';
import { type Identity, userDeleted } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import { blockStore } from './blocks.store.ts';
import { blockRules } from './blocks.ts';
import { reportClosing } from './closing.ts';
import type { Moderation } from './contract.ts';
import { interventionStore } from './interventions.store.ts';
import { interventions } from './interventions.ts';
import { moderationRecords } from './member-records.store.ts';
import { muteOfUser, reportsOfUser } from './moderation.administration.ts';
import { muteChanged } from './moderation.live.ts';
import { moderationNotices } from './moderation.notices.ts';
import { blockOperations, reportOperations } from './moderation.operations.ts';
import { moderationInternalEvents, moderationPublicEvents } from './moderation.public-events.ts';
import { muteOperations } from './mutes.operations.ts';
import { muteStore } from './mutes.store.ts';
import { muteRules } from './mutes.ts';
import { remainsStore } from './remains.store.ts';
import { contextOfReport } from './report-context.ts';
import { reportLimit } from './report-limit.ts';
import { reportedItemStore } from './reported-items.store.ts';
import { reportedItemRules } from './reported-items.ts';
import { reportStore } from './reports.store.ts';
import { reportRules } from './reports.ts';

interface ModerationDeps
  extends Pick<Core, 'database' | 'events' | 'jobs' | 'audit' | 'live' | 'clock' | 'newId' | 'cache'> {
  identity: Pick<Identity, 'contactsOf' | 'profilesOf' | 'permissionsOf' | 'keep'>;
}

/** Moderation: one worklist of reports, and blocks between members. Owns the database schema `moderation`. */
export function moderationModule(deps: ModerationDeps): Module<Moderation> {
  const blockTable = blockStore(deps.database);
  const blocks = blockRules({ ...deps, store: blockTable });
  const reportTable = reportStore(deps.database);
  const { closeReports, jobs: closing } = reportClosing({ ...deps, store: reportTable });
  const reports = reportRules({
    ...deps,
    store: reportTable,
    remains: remainsStore,
    closeReports,
    mayReport: reportLimit(deps),
  });
  const items = reportedItemRules({ ...deps, store: reportedItemStore(deps.database) });
  const contextOf = contextOfReport({ ...deps, reportableOf: reports.reportableOf });
  const muteTable = muteStore(deps.database);
  const mutes = muteRules({ ...deps, store: muteTable });
  return {
    name: 'moderation',
    memberRecords: moderationRecords,
    publicEvents: moderationPublicEvents,
    internalEvents: moderationInternalEvents,
    sections: { Moderation: 'Reports of content, blocks between members, and the worklist of moderators.' },
    notices: moderationNotices,
    live: { messages: [muteChanged] },
    service: {
      intervene: interventions(deps),
      closeReports,
      maySpeak: mutes.maySpeak,
      mutedAmong: mutes.mutedAmong,
      mayApproach: blocks.mayApproach,
      mayApproachIn: blocks.mayApproachIn,
      blocksAmong: blocks.blocksAmong,
      blockersOf: blocks.blockersOf,
      partedFrom: blocks.partedFrom,
      partedFromEach: blocks.partedFromEach,
      partedFromTooMany: blocks.partedFromTooMany,
      report: reports.report,
      find: reports.find,
      pageOf: reports.pageOf,
      resolve: reports.resolve,
    },
    mutedAmong: mutes.mutedAmong,
    operations: [...blockOperations(blocks), ...muteOperations(mutes)],
    jobs: [
      ...closing,
      retention(deps, {
        name: 'moderation.retention',
        cron: '23 4 * * *',
        tables: [{ table: 'moderation.intervention', key: 'id', since: 'acted_at', days: 30 }],
      }),
    ],
    worklists: [{ name: 'reports', read: reportTable.backlog }],
    userOverview: [reportsOfUser(reportTable, deps.identity), muteOfUser(mutes)],
    subscriptions: [
      on(userDeleted, 'moderation', async ({ data: { userId } }, tx) => {
        await blockTable.erase(tx, userId);
        await interventionStore.erase(tx, userId);
        await muteTable.erase(tx, userId);
        await reportTable.forgetPerson(tx, userId);
      }),
    ],
    collect: (modules) => {
      const reportables = modules
        .flatMap((module) => module.reportables ?? [])
        .sort((a, b) => (a.kind < b.kind ? -1 : 1));
      reports.collect(reportables);
      return { operations: reportOperations({ reports, items, contextOf }, reportables) };
    },
  };
}
