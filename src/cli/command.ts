import type { Config } from '../app/config.ts';

interface Option {
  /** The placeholder of the value in the usage line; an option without one is a switch. */
  value?: string;
  about: string;
  isRequired?: true;
}

export interface Command {
  /** One or two words. */
  name: string;
  about: string;
  options?: Record<string, Option>;
  /** Options that are recognized only to be refused with a reason. */
  refused?: string[];
  /** Further sentences of the command's help. */
  details?: string;
  /**
   * What the command does to the schema of the database: `migrates` it, unless MIGRATE=off, or takes it `as it is`, and
   * refuses one that is too old, or where there is no installation. Without it the command looks at none.
   */
  database?: 'migrates' | 'as it is';
  /** A complete command line. */
  example: string;
  run(call: Call): Promise<void>;
}

export interface Call {
  /** The values of the options that have one. */
  values: Record<string, string | undefined>;
  switches: ReadonlySet<string>;
  /** Reads the settings, which some commands do not need. */
  config: () => Config;
}
