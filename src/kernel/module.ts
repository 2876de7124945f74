import type { Subscription } from './events.ts';
import type { Job } from './jobs.ts';
import type { Operation } from './operations/operation.ts';

/** A domain of the platform, as a value: what it gives to others, and what it asks to be run. */
export interface Module<Door = unknown> {
  /** Also the name of its database schema. */
  name: string;
  /** All that other modules can see of it. */
  door: Door;
  operations?: Operation[];
  jobs?: Job[];
  subscriptions?: Subscription[];
  /** The folder of its SQL migrations. */
  migrations?: URL;
}
