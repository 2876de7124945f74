#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createAdministrator } from './cli/admin.ts';
import { envExample } from './cli/env-example.ts';
import { keysCommand } from './cli/keys.ts';
import { seed } from './cli/seed.ts';
import { start } from './cli/start.ts';
import { UsageFault } from './cli/usage.ts';
import { verifyCommand } from './cli/verify.ts';
import { holdDatabase, newLog, withPlatform } from './cli/with-platform.ts';
import { ConfigurationFault, readConfig } from './config.ts';
import { describePlatform } from './description.ts';
import { Failure } from './kernel/failures.ts';
import { AlreadyRunning } from './kernel/postgres/instance-lock.ts';
import { migratePlatform } from './platform.ts';

const HELP = `platform-api: the backend platform of paid trading-education communities

Usage: npm run platform -- <command> [options]

  start                                start everything (what npm start does)
  migrate                              bring the database to the newest schema
  seed                                 fill a development database with members, wallets and transfers
  keys create --name NAME --tier TIER  issue an API key; it is shown once
  keys list                            list API keys
  keys revoke --id ID                  revoke an API key
  signing-keys rotate                  sign tokens with a new key; sessions go on
  admin create --email E --password P  make an administrator
  verify                               check every invariant of the ledger; ends with 1 when one is broken
  openapi                              print the OpenAPI description
  env                                  print .env.example, every setting there is

Settings come from environment variables; .env.example lists them all.
Commands work beside a running server, and without one.`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      name: { type: 'string' },
      tier: { type: 'string' },
      id: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
    },
  });
  const command = positionals.join(' ');
  if (values.help || command === 'help') {
    console.log(HELP);
    return;
  }
  if (existsSync('.env')) process.loadEnvFile('.env'); // what the environment says itself stays
  const config = readConfig(process.env);
  switch (command) {
    case 'start':
      return start(config);
    case 'migrate': {
      const hold = await holdDatabase(config, newLog(config), true);
      const applied = await migratePlatform(hold.url).finally(hold.release);
      console.log(
        applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'nothing to apply',
      );
      return;
    }
    case 'seed':
      return withPlatform({ ...config, port: 0 }, seed);
    case 'keys create':
    case 'keys list':
    case 'keys revoke':
      return withPlatform(config, keysCommand(command, values));
    case 'admin create':
      return withPlatform(config, createAdministrator(values));
    case 'signing-keys rotate':
      return withPlatform(config, async ({ identity }) => console.log(await identity.rotateSigningKey()));
    case 'verify':
      return withPlatform(config, verifyCommand);
    case 'openapi':
      process.stdout.write(`${JSON.stringify(describePlatform(config), null, 2)}\n`);
      return;
    case 'env':
      process.stdout.write(envExample());
      return;
    default:
      throw new UsageFault(command === '' ? 'no command was given' : `unknown command "${command}"`);
  }
}

try {
  await main();
} catch (error) {
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE' && port) {
    console.error(`Port ${port} is taken: set PORT to another, or to 0 for any.`);
    process.exit(1);
  }
  const isTold =
    error instanceof ConfigurationFault ||
    error instanceof AlreadyRunning ||
    error instanceof Failure ||
    error instanceof UsageFault ||
    code?.startsWith('ERR_PARSE_ARGS');
  console.error(isTold ? (error as Error).message : error);
  if (error instanceof UsageFault) console.error(`\n${HELP}`);
  process.exit(error instanceof UsageFault ? 2 : 1);
}
