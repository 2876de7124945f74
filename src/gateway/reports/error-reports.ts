import type { Database } from '../../kernel/database/database.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Job } from '../../kernel/messaging/jobs.ts';
import { type Actor, type Audit, changesNothing, changesOf } from '../../kernel/records/audit.ts';
import type { DaysKept } from '../../kernel/records/days-kept.ts';
import { ERASED, namingOf, type Person, withoutNames, withoutPerson } from '../../kernel/records/erasure.ts';
import { retention } from '../../kernel/records/retention.ts';
import { canonicalAddress } from '../../kernel/text/email-address.ts';
import { fullName } from '../../kernel/text/full-name.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time/time.ts';
import type {
  ErrorFilter,
  ErrorGroup,
  ErrorPlace,
  ErrorReport,
  ErrorSummary,
  Named,
  SummaryPeriod,
} from './error-reports.model.ts';
import { errorReportStore, OLDEST } from './error-reports.store.ts';
import { errorSummaryStore } from './error-summaries.store.ts';

interface ErrorReportDeps {
  database: Database;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
  onError: (error: Error) => void;
  /** Returns the members with these e-mail addresses, by address. */
  ownersOf: (emails: string[]) => Promise<Map<string, ObjectId>>;
  /** Returns these members with their names, except for deleted ones. */
  contactsOf: (userIds: ObjectId[]) => Promise<{ userId: ObjectId; firstName: string; lastName: string }[]>;
}

const MAX_WAITING = 5_000;
const MAX_CONCURRENT = 200;
const FLUSH_AFTER_MS = 200;
/** Maximum number of reports stored per minute from one flood of similar failures. */
const SAMPLE_PER_MINUTE = 10;
/** The same of a caller who is known, and whom a limit refuses: more than a client that heeds its answers makes. */
const OF_KNOWN_PER_MINUTE = 200;
/** Maximum number of floods counted at once; failures beyond it are not stored. */
const MAX_FLOODS = 10_000;
/** Reports read by one statement of an erasure. */
const READ_AT_ONCE = 1_000;

/** Similar failures. */
export interface Flood {
  key: string;
  /** Whether all of them are of one caller with a valid key or token. */
  isOfKnown?: boolean;
}

/** Returns what names the members whose requests failed as they are called now: reports keep no names. */
const naming =
  (contactsOf: ErrorReportDeps['contactsOf']) =>
  async <Report extends Pick<ErrorReport, 'user'>>(reports: Report[]): Promise<Named<Report>[]> => {
    const ids = new Set(reports.flatMap(({ user }) => (user ? [user.userId] : [])));
    const contacts = ids.size === 0 ? [] : await contactsOf([...ids]);
    const names = new Map(contacts.map((one) => [one.userId, fullName(one)]));
    return reports.map(({ user, ...report }) => ({
      ...report,
      ...(user && { user: { ...user, id: user.userId, name: names.get(user.userId) ?? null } }),
    }));
  };

/**
 * Stores reports of failures in the background: requests never wait for it, and a flood or an unreachable database may
 * cost reports but never requests.
 */
export function errorReports({ database, audit, clock, onError, ownersOf, contactsOf }: ErrorReportDeps) {
  const store = errorReportStore(database);
  const named = naming(contactsOf);
  const summaries = errorSummaryStore(database);
  const waiting: ErrorReport[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;
  let sampledMinute = 0;
  let samples = new Map<string, number>();

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_CONCURRENT);
      await withOwners(batch)
        .then(store.insertAll)
        .catch((error: Error) => {
          dropped += batch.length;
          onError(error);
        });
    }
  }

  /** Names the member whose e-mail address an anonymous request had in its body, as a failed sign-in. */
  async function withOwners(batch: ErrorReport[]): Promise<ErrorReport[]> {
    const addressed = new Map(batch.flatMap((report) => addressIn(report)));
    if (addressed.size === 0) return batch;
    const owners = await ownersOf([...new Set(addressed.values())]);
    return batch.map((report) => {
      const email = addressed.get(report.errorId);
      const userId = email && owners.get(email);
      return userId ? { ...report, user: { userId, email } } : report;
    });
  }

  async function find(errorId: string): Promise<Named<ErrorReport> | undefined> {
    const found = await store.find(errorId);
    return found && (await named([found]))[0];
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  /** Whether this failure is among the first of its flood in this minute. */
  function isSampled({ key, isOfKnown = false }: Flood): boolean {
    const minute = Math.floor(clock.now() / MINUTE_MS);
    if (minute !== sampledMinute) {
      sampledMinute = minute;
      samples = new Map();
    }
    const count = (samples.get(key) ?? 0) + 1;
    if (count > (isOfKnown ? OF_KNOWN_PER_MINUTE : SAMPLE_PER_MINUTE)) return false;
    if (count === 1 && samples.size >= MAX_FLOODS) return false;
    samples.set(key, count);
    return true;
  }

  return {
    /**
     * Whether to make a report of a failure; `flood` identifies similar failures, and is undefined if the failure must
     * always be stored.
     */
    wants: (flood: Flood | undefined): boolean => flood === undefined || isSampled(flood),
    add(report: ErrorReport): void {
      if (waiting.length >= MAX_WAITING) {
        dropped++;
        return;
      }
      waiting.push(report);
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    async find(errorId: string): Promise<Named<ErrorReport> | undefined> {
      await flush();
      return find(errorId);
    },
    /**
     * Gives a report another severity. Which failures matter most is known to people alone, so that none begins as `high`.
     * @param errorId as the report has it, which the audit log names
     * @returns undefined when there is no report with that errorId
     */
    async setSeverity(
      errorId: string,
      severity: ErrorReport['severity'],
      actor: Actor,
    ): Promise<Named<ErrorReport> | undefined> {
      await flush();
      await database.transaction(async (tx) => {
        const before = await store.lockSeverity(tx, errorId);
        const changes = changesOf(before ?? { severity }, { severity });
        if (changesNothing(changes)) return;
        await store.setSeverity(tx, errorId, severity);
        await audit.record(tx, { ...actor, action: 'error.severity-changed', target: errorId, changes });
      });
      return find(errorId);
    },
    /** Returns reports, newest first; undefined if the page begins after the id alone of a report that is gone. */
    async pageOf(
      filter: ErrorFilter,
      { before, ...request }: PageRequest,
    ): Promise<Page<Named<ErrorSummary>> | undefined> {
      await flush();
      const after = before === undefined ? request.after : await store.placeOf(before);
      if (before !== undefined && !after) return undefined;
      const page = await store.pageOf(filter, { ...request, ...(after && { after }) });
      return { ...page, items: await named(page.items) };
    },
    /** Returns the most frequent kinds of failures within a period. */
    countSince: summaries.countSince,
    async summaryOf(period: SummaryPeriod): Promise<ErrorGroup[]> {
      await flush();
      return summaries.groupsOf(period);
    },
    /** Removes the requests of a deleted member, and their personal data, from the reports. */
    async erase(person: Person): Promise<void> {
      await flush();
      const about = { ...person, ...namingOf(person) };
      for (let after: ErrorPlace = OLDEST; ; ) {
        const read = await store.readAfter(after, about, READ_AT_ONCE);
        const found = read.flatMap(({ report }) => (report ? [anonymized(report, person)] : []));
        if (found.length > 0) await store.replaceAll(found);
        if (read.length < READ_AT_ONCE) return;
        after = read.at(-1) as ErrorPlace;
      }
    },
    /** Returns the number of reports lost since the start. */
    dropped: () => dropped,
    flush,
  };
}

/** Returns a report without the personal data of the person, which they or others sent. */
function anonymized(report: ErrorReport, person: Person): ErrorReport {
  const { stack, request, user, ...rest } = report;
  const { path } = request;
  const writtenAt = new Date(report.timestamp);
  return {
    ...(withoutPerson(rest, person, { writtenAt }) as typeof rest),
    ...(stack === undefined ? {} : { stack: withoutNames(stack, person, writtenAt) }),
    request: {
      ...request,
      path: withoutNames(path.split('?')[0] as string, person, writtenAt),
      headers: {},
      body: null,
    },
    ...(user && { user: user.userId === person.userId ? { ...user, email: ERASED } : user }),
  };
}

export type ErrorReports = ReturnType<typeof errorReports>;

/** Returns the job that deletes old reports, and what is counted of them. */
export const forgetOldReports = (deps: Pick<ErrorReportDeps, 'database' | 'clock'>, days: DaysKept): Job => {
  // A day is counted until the last of its reports is deleted.
  const countedDays = days === 'keep' ? days : days + 1;
  return retention(deps, {
    name: 'gateway.forget-old-error-reports',
    cron: '17 3 * * *',
    tables: [
      { table: 'gateway.error_report', key: 'error_id', since: 'created_at', days },
      { table: 'gateway.error_day', key: 'day, kind_id', since: 'day', days: countedDays },
      { table: 'gateway.error_member', key: 'kind_id, user_id, day', since: 'day', days: countedDays },
    ],
  });
};

/** Returns the address in the body of an anonymous request, with the id of its report. */
function addressIn({ errorId, user, request: { body } }: ErrorReport): [string, string][] {
  if (user !== undefined || typeof body !== 'object' || body === null) return [];
  const { email } = body as { email?: unknown };
  const address = typeof email === 'string' ? canonicalAddress(email) : undefined;
  return address === undefined ? [] : [[errorId, address]];
}
