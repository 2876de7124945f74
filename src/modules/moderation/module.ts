import type { Core } from '../../kernel/core.ts';
import { on } from '../../kernel/messaging/events.ts';
import { type Identity, userDeleted } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import { blockStore } from './blocks.store.ts';
import { blockRules } from './blocks.ts';
import type { Moderation } from './contract.ts';
import { blockOperations, reportOperations } from './moderation.operations.ts';
import { reportStore } from './reports.store.ts';
import { reportRules } from './reports.ts';

interface ModerationDeps extends Pick<Core, 'database' | 'events' | 'audit' | 'clock' | 'newId'> {
  identity: Pick<Identity, 'contactsOf' | 'profilesOf'>;
}

/** Moderation: one worklist of reports, and blocks between members. Owns the database schema `moderation`. */
export function moderationModule(deps: ModerationDeps): Module<Moderation> {
  const blockTable = blockStore(deps.database);
  const blocks = blockRules({ ...deps, store: blockTable });
  const reports = reportRules({ ...deps, store: reportStore(deps.database) });
  return {
    name: 'moderation',
    sections: { Moderation: 'Reports of content, blocks between members, and the worklist of moderators.' },
    service: {
      mayApproach: blocks.mayApproach,
      mayApproachIn: blocks.mayApproachIn,
      blocksAmong: blocks.blocksAmong,
      blockersOf: blocks.blockersOf,
      partedFrom: blocks.partedFrom,
      report: reports.report,
      find: reports.find,
      pageOf: reports.pageOf,
      resolve: reports.resolve,
    },
    operations: blockOperations(blocks),
    subscriptions: [
      on(userDeleted, 'moderation', ({ data: { userId } }, tx) => blockTable.erase(tx, userId)),
    ],
    collect: (modules) => {
      const reportables = modules
        .flatMap((module) => module.reportables ?? [])
        .sort((a, b) => (a.kind < b.kind ? -1 : 1));
      reports.collect(reportables);
      return { operations: reportOperations(reports, reportables) };
    },
  };
}
