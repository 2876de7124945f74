import type { Config } from '../app/config.ts';
import { schemaStateOf } from '../app/schema.ts';
import type { Database } from '../kernel/database/database.ts';
import {
  changeEnvironment,
  ENVIRONMENTS,
  type Environment,
  sessionsNamed,
  storedEnvironment,
} from '../kernel/database/environment.ts';
import { isUsable, SchemaFault } from '../kernel/database/schema-state.ts';
import { JOB_SESSIONS } from '../kernel/messaging/job-schema.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { onDirectDatabase } from './direct-database.ts';
import { UsageFault } from './usage.ts';

/** What an operator must know of the database that was of the other environment until now. */
const LEFT: Record<Environment, string> = {
  production:
    'API keys and accounts of development are still in it: revoke the keys ("keys list"), and deactivate its administrators.',
  development:
    'It must be a copy: a process of development pays withdrawals at the sandbox and sends mails to its mailbox.',
};

/** Processes look at the environment when they start: one that is running would go on, with the systems of the other one. */
async function refuseWhileProcessesWork(database: Database): Promise<void> {
  const places = await sessionsNamed(database, JOB_SESSIONS);
  if (places.length > 0)
    throw new OperatorFault(`Processes work on the database, from ${places.join(', ')}: stop them first.`);
}

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
      await refuseWhileProcessesWork(database);
      await changeEnvironment(database, wanted);
      console.log(`The database is now that of ${wanted}${former ? `, and was that of ${former}` : ''}.`);
      if (former) console.log(LEFT[wanted]);
    });
}
