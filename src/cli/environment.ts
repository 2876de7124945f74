import type { Config } from '../app/config.ts';
import { schemaStateOf } from '../app/schema.ts';
import {
  changeEnvironment,
  ENVIRONMENTS,
  type Environment,
  storedEnvironment,
} from '../kernel/database/environment.ts';
import { isUsable, SchemaFault } from '../kernel/database/schema-state.ts';
import { onDirectDatabase } from './direct-database.ts';
import { UsageFault } from './usage.ts';

/** What an operator must know of the database that was of the other environment until now. */
const LEFT: Record<Environment, string> = {
  production:
    'API keys and accounts of development are still in it: revoke the keys ("keys list"), and deactivate its administrators.',
  development:
    'It must be a copy: a process of development pays withdrawals at the sandbox and sends mails to its mailbox.',
};

/** `environment set`: makes the database that of another environment, whatever ENVIRONMENT is. */
export function setEnvironment(to: string | undefined): (config: Config) => Promise<void> {
  const wanted = ENVIRONMENTS.find((one) => one === to);
  if (!wanted) throw new UsageFault(`--to is one of ${ENVIRONMENTS.join(', ')}`);
  return (config) =>
    onDirectDatabase(config, async (database) => {
      const state = await schemaStateOf(database);
      if (!isUsable(state)) throw new SchemaFault(state);
      const former = await storedEnvironment(database);
      if (former === wanted) return console.log(`The database is that of ${wanted} already.`);
      await changeEnvironment(database, wanted);
      console.log(`The database is now that of ${wanted}${former ? `, and was that of ${former}` : ''}.`);
      if (former) console.log(LEFT[wanted]);
    });
}
