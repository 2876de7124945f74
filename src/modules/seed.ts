import type { Transaction } from '../kernel/database/queries.ts';
import type { ObjectId } from '../kernel/ids.ts';

/**
 * The sample data of a module, in `<module>.seed.ts`, which only the command `seed` loads. Seeds run in the order
 * of the modules. Each method returns lines to print for the operator.
 */
export interface Seed {
  /** `seed`: adds a little through the API, as clients would. Repeated, it adds nothing. */
  small?(stage: SeedStage): Promise<Seeded>;
  /**
   * `seed --large`: writes rows into the module's own tables, for the members and with the temporary tables and
   * functions of the plan (`src/cli/seeding/plan.store.ts`).
   */
  large?(tx: Transaction, plan: { days: number; passwordHash: string }): Promise<string>;
  /** `seed --large`, after all rows are written: history that requires the module's rules, day by day. */
  history?: {
    /** The time of the module's newest record, which the days must follow. */
    newest(): Promise<Date | undefined>;
    /** Creates the history of a day; called for one day after another. */
    live(day: SeedDay): Promise<void>;
    summary(): string;
  };
}

/** The records that a module has created, or found from an earlier run. */
export interface Seeded {
  what: string;
  isNew: boolean;
}

export interface SeedMember {
  id: string;
  /** The access token of a session. */
  token: string;
}

/** Calls the API and returns the data of the response; throws when it is refused. */
export type SeedCall = (method: string, path: string, body?: object, token?: string) => Promise<unknown>;

/** The records that `seed` has created before the modules add to them. */
export interface SeedStage {
  call: SeedCall;
  /** The access token of an administrator. */
  admin: string;
  educator: SeedMember;
  /** All but the educator. */
  members: SeedMember[];
}

interface SeedPerson {
  id: ObjectId;
  email: string;
}

/** A day of `seed --large`, on a platform whose clock is set to that day. */
export interface SeedDay {
  call: SeedCall;
  /** The access token of an administrator. */
  admin: string;
  /** The members who have joined so far. */
  educators: SeedPerson[];
  members: SeedPerson[];
  /** Returns the access token of a new session. */
  signIn(person: SeedPerson): Promise<string>;
  /** Pays at the payment provider. */
  pay(paymentLink: string): Promise<void>;
  /** Waits until the platform has received all payments of the day. */
  settlePayments(): Promise<void>;
  advanceClock(milliseconds: number): void;
  /** Returns a number between 0 and 1; the numbers are the same in each run. */
  random(): number;
  any<T>(some: readonly T[]): T;
}
