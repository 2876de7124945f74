import type { ChartingOutcome } from '../../../external/charting/port.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { SpellingStore } from '../handles/spellings.store.ts';
import { type Entry, type Grant, ORIGINS } from './access.model.ts';
import type { AccessStore } from './access.store.ts';
import { isOfFormerHandle, type Step, sameHandle } from './access.transitions.ts';
import type { EntryStore } from './entries.store.ts';

/** The outcome of a call for a grant. */
export type Outcome = ChartingOutcome | { kind: 'known'; handle: string } | { kind: 'held' | 'not-held' };

/** A step that is a call to the charting platform. */
export type Call = Exclude<Step, { do: 'settle' }>;

/** A grant for which only this worker may make a call, until its lease ends. */
export interface Claimed {
  grant: Grant;
  step: Call;
  /** Whether this is the first call that may add the entry. */
  isFirst: boolean;
}

interface ObservationDeps {
  store: Pick<AccessStore, 'find'>;
  entries: EntryStore;
  spellings: SpellingStore;
}

/** The result of a call for a claimed grant. */
interface CallResult {
  claimed: Claimed;
  outcome: Outcome;
  at: Date;
}

/** Records what calls reveal about the charting platform's state, independent of the currently wanted state. */
export function observationRules({ store, entries, spellings }: ObservationDeps) {
  async function recordSpelling(tx: Transaction, grant: Grant, outcome: Outcome, at: Date): Promise<Grant> {
    if (outcome.kind !== 'known') return grant;
    await spellings.save(tx, outcome.handle, at);
    return sameHandle(grant.handle, outcome.handle) ? { ...grant, handle: outcome.handle } : grant;
  }

  /** An entry that the first lookup finds existed before any call of the platform. */
  async function recordPresence(
    tx: Transaction,
    id: Grant['id'],
    entry: Entry,
    { kind }: Outcome,
  ): Promise<void> {
    if (kind === 'not-held') await entries.setOrigin(tx, entry, ['unknown', 'found'], 'absent');
    if (kind !== 'held') return;
    await entries.setOrigin(tx, entry, ['unknown', 'absent'], 'found');
    await entries.put(tx, id, { ...entry, isConfirmed: true });
  }

  /** @param isFirst whether this was the first call that may have added the entry */
  async function recordAddition(
    tx: Transaction,
    id: Grant['id'],
    entry: Entry,
    { isFirst, kind }: { isFirst: boolean; kind: Outcome['kind'] },
  ): Promise<void> {
    if (kind === 'unknown-outcome') return;
    if (kind === 'done' || kind === 'already') {
      await entries.put(tx, id, { ...entry, isConfirmed: true });
      if (kind === 'done') return entries.setOrigin(tx, entry, ORIGINS, 'made');
      // The entry was absent when looked up. An earlier call without an answer has made it or, if there was none,
      // someone else has.
      return entries.setOrigin(tx, entry, ['sent'], isFirst ? 'found' : 'made');
    }
    if (kind === 'unknown-user') await spellings.forget(tx, entry.handle);
    // A call that failed may nevertheless have added the entry: it was absent before, so if the next attempt finds it,
    // it counts as the platform's own.
    if (!isFirst || kind === 'fault') return;
    // The platform has no entry there, so the next call must be preceded by a lookup.
    await entries.setOrigin(tx, entry, ['sent'], 'unknown');
    await entries.drop(tx, id, entry);
  }

  async function recordRemoval(
    tx: Transaction,
    grant: Grant,
    entry: Entry,
    { isCurrent, kind }: { isCurrent: boolean; kind: Outcome['kind'] },
  ): Promise<void> {
    if (kind === 'unknown-user') {
      await spellings.forget(tx, entry.handle);
      // Otherwise the entry stays on record: it may exist under another name of theirs.
      if (isCurrent && isOfFormerHandle(grant, entry)) await follow(tx, grant, entry);
    }
    if (kind !== 'done' && kind !== 'already') return;
    await entries.drop(tx, grant.id, entry);
    // An entry that another grant finds there from now on was made by someone else.
    await entries.setOrigin(tx, entry, ['sent', 'made'], 'unknown');
  }

  /**
   * Moves an entry to the grant's new handle, because the charting platform keeps the access of members who change their
   * name there. Whether it did shows when the entry is added: as after an addition without an answer, an entry that
   * exists already counts as made by the platform.
   */
  async function follow(tx: Transaction, { id, handle }: Grant, former: Entry): Promise<void> {
    const entry: Entry = { ...former, handle, isConfirmed: false, origin: 'sent' };
    await entries.drop(tx, id, former);
    await entries.put(tx, id, entry);
    await entries.setOrigin(tx, entry, ['unknown', 'absent'], 'sent');
  }

  return {
    /** Records the result of a call; returns the grant with its updated entries. */
    async record(tx: Transaction, grant: Grant, { claimed, outcome, at }: CallResult): Promise<Grant> {
      const { step, isFirst } = claimed;
      const { kind } = outcome;
      if (step.do === 'resolve') return recordSpelling(tx, grant, outcome, at);
      if (step.do === 'look') await recordPresence(tx, grant.id, step.entry, outcome);
      else if (step.do === 'add') await recordAddition(tx, grant.id, step.entry, { isFirst, kind });
      else {
        const isCurrent = grant.version === claimed.grant.version;
        await recordRemoval(tx, grant, step.entry, { isCurrent, kind });
      }
      return { ...grant, entries: (await store.find(grant.id, tx))?.entries ?? [] };
    },
  };
}

export type Observations = ReturnType<typeof observationRules>;
