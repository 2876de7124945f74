import { Type } from 'typebox';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { type Jobs, job, jobKind, Postponed } from '../../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import type { BorneName, EraseEverywhere, Person } from '../../../kernel/records/erasure.ts';
import type { Secrets } from '../../../kernel/secrets.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import { type RemainingKeys, userDeleted } from '../contract.ts';
import { namesOf } from '../users/former-names.store.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';

interface Deps {
  erasePerson: EraseEverywhere;
  events: Events;
  jobs: Pick<Jobs, 'enqueue'>;
  clock: Clock;
  secrets: Secrets;
  users: Pick<UserStore, 'findByEmail' | 'eraseAgain'>;
}

/** Former programs would erase by former rules. */
const { version, upgrades } = userDeleted;
const eraseAgain = jobKind('identity.erase-again', {
  version,
  upgrades,
  data: Type.Object({ userId: ObjectIdShape }),
});
/** The names are sealed, because finished jobs stay stored for a day. */
const eraseRecords = jobKind('identity.erase-records', {
  version,
  upgrades,
  data: Type.Object({ userId: ObjectIdShape, sealed: Type.String() }),
});
/** What deletions by former rules have left is erased in portions, which leave the queues to others. */
const eraseByRules = jobKind('identity.erase-by-present-rules');
const MEMBERS_AT_ONCE = 100;
/** Beyond all records: the year 9999. */
const NEVER_MS = Date.UTC(9999);
/** Longer than any request may take. */
const AGAIN_AFTER_SECONDS = 60;
/** A mail may be retried for hours, and its job still holds the address when it is sent. */
const JOBS_AGAIN_AFTER_SECONDS = 600;

/** The consequences of deleting an account: the modules erase their data, and operators' records are anonymized. */
export function erasingRules({ erasePerson, events, jobs, clock, secrets, users }: Deps) {
  const names = secrets.sealer('identity.erased-names');

  /**
   * Returns until when what names the addresses is about the deleted member: somebody else may have signed up with one
   * since, or an older account may have been given it, but not before the deletion.
   */
  async function endOfUse(emails: string[], erasedAt: number): Promise<Date> {
    const next = await Promise.all(emails.map((email) => users.findByEmail(email)));
    const taken = next.flatMap((one) => (one ? [Math.max(erasedAt, one.createdAt.getTime() - 1)] : []));
    return new Date(Math.min(NEVER_MS, ...taken));
  }

  /** Publishes the deletion again, to erase data written by requests that were in progress when it happened. */
  const erasingAgain = job(eraseAgain, {
    runIn: (tx, { userId }) => events.publish(tx, userDeleted, { userId, isRepeated: true }),
  });
  /** Publishes former deletions again whose modules may now erase more. */
  const erasingByRules = job(eraseByRules, {
    cron: '*/5 * * * *',
    atStart: true,
    runIn: async (tx) => {
      const ids = await users.eraseAgain(tx, MEMBERS_AT_ONCE);
      await events.publish(tx, userDeleted, ...ids.map((userId) => ({ userId, isRepeated: true })));
    },
  });
  const erasingRecords = job(eraseRecords, {
    concurrency: 1,
    run: async ({ userId, sealed }) => {
      const { erasedAt, ...identifiers } = identifiersOf(names.open(Buffer.from(sealed, 'base64url')));
      const emailsUntil = await endOfUse(identifiers.emails, erasedAt);
      const { isComplete } = await erasePerson({ userId, ...identifiers, emailsUntil });
      if (!isComplete)
        throw new Postponed('work that names the person is not done', {
          afterSeconds: JOBS_AGAIN_AFTER_SECONDS,
        });
    },
  });

  return {
    jobs: [erasingAgain, erasingByRules, erasingRecords],
    /**
     * Publishes the deletion of a member, whose record must still have the names. Everything is erased twice: now, and after
     * all requests in progress have ended.
     */
    async begin(tx: Transaction, user: User, remainingKeys: RemainingKeys | 'none'): Promise<void> {
      const { id: userId, email, customerId } = user;
      const ofUser = await namesOf(tx, user);
      const borne = [...ofUser, { name: customerId ?? '', since: 0 }];
      const identifiers = { emails: [email], names: borne, erasedAt: clock.now() };
      const data = { userId, sealed: names.seal(JSON.stringify(identifiers)).toString('base64url') };
      await events.publish(tx, userDeleted, { userId, remainingKeys });
      await jobs.enqueue(tx, eraseRecords, [data]);
      await jobs.enqueue(tx, eraseRecords, [data], { afterSeconds: AGAIN_AFTER_SECONDS });
      await jobs.enqueue(tx, eraseAgain, [{ userId }], { afterSeconds: AGAIN_AFTER_SECONDS });
    },
  };
}

interface Identifiers extends Pick<Person, 'emails' | 'names'> {
  erasedAt: number;
}

/**
 * Reads what a job has sealed. Jobs of former programs have the names that the account had when it was deleted, and not
 * when that was.
 */
function identifiersOf(text: string): Identifiers {
  type Sealed = Omit<Identifiers, 'names'> & { names: (BorneName | string)[] };
  const { emails, names, erasedAt = 0 } = JSON.parse(text) as Sealed;
  const borne = names.map((one) => (typeof one === 'string' ? { name: one, since: 0 } : one));
  return { emails, names: borne, erasedAt };
}

export type ErasingRules = ReturnType<typeof erasingRules>;
