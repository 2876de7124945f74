#!/usr/bin/env node
// Most commands need dependencies that take a second to load, so each command loads its own. Help, version and
// configuration faults are printed immediately.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from './app/config.ts';
import { platformVersion } from './app/version.ts';
import { connectionFault } from './cli/connection-fault.ts';
import { checkPorts, portFault } from './cli/ports.ts';
import { progress } from './cli/progress.ts';
import { UsageFault } from './cli/usage.ts';
import { Failure } from './kernel/failures.ts';
import { OperatorFault } from './kernel/operator-fault.ts';

const HELP = `platform-api: the backend platform of paid trading-education communities

Usage: npm run platform -- <command> [options]

  start                                start everything (what npm start does)
  migrate                              migrate the database to the newest schema
  seed                                 fill a development database with members, wallets and transfers
  seed --large                         fill it with half a year of data from two thousand members
  keys create --name NAME --tier TIER  issue an API key; it is shown once
  keys list                            list API keys
  keys revoke --id ID                  revoke an API key
  signing-keys rotate                  sign tokens with a new key; sessions continue
  admin create --email E               create an administrator; prompts for the password, or reads it from standard input
  verify                               check every invariant of the ledger; exits with 1 if one is violated
  openapi                              print the OpenAPI description
  asyncapi                             print the AsyncAPI description of the live channel
  env                                  print .env.example, which lists all settings

  --help, -h                           show this help
  --version                            print the version

Settings come from environment variables; .env.example lists them all.
Commands work with or without a running server.`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  name: { type: 'string' },
  tier: { type: 'string' },
  id: { type: 'string' },
  email: { type: 'string' },
  password: { type: 'string' },
  large: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const command = positionals.join(' ');
  if (values.help || command === 'help') {
    console.log(HELP);
    return;
  }
  if (values.version) {
    console.log(`platform-api ${platformVersion()} (Node ${process.version})`);
    return;
  }
  if (command === 'env') {
    const { envExample } = await import('./cli/env-example.ts');
    process.stdout.write(envExample());
    return;
  }
  if (existsSync('.env')) process.loadEnvFile('.env'); // variables that are already set take precedence
  const config = readConfig(process.env);
  if (command === 'start') {
    progress(config)(`Platform API ${platformVersion()} is starting`);
    await checkPorts(config);
    const { start } = await import('./cli/start.ts');
    return start(config);
  }
  if (command === 'openapi' || command === 'asyncapi') {
    const { describePlatform } = await import('./app/description.ts');
    const { api, live } = describePlatform(config);
    process.stdout.write(`${JSON.stringify(command === 'openapi' ? api : live, null, 2)}\n`);
    return;
  }
  await run(command, values, config);
}

/** Runs a command that needs the database and exits when it is done. */
async function run(command: string, values: Values, config: Config): Promise<void> {
  const { withPlatform } = await import('./cli/with-platform.ts');
  switch (command) {
    case 'migrate': {
      const { migrateCommand } = await import('./cli/migrate.ts');
      return migrateCommand(config);
    }
    case 'seed': {
      const { seed } = await import('./cli/seed.ts');
      if (!values.large) return withPlatform({ ...config, port: 0 }, seed);
      const { seedLarge } = await import('./cli/seed-large.ts');
      return withPlatform({ ...config, port: 0 }, seedLarge);
    }
    case 'keys create':
    case 'keys list':
    case 'keys revoke': {
      const { keysCommand } = await import('./cli/keys.ts');
      return withPlatform(config, keysCommand(command, values));
    }
    case 'admin create': {
      const { createAdministrator, emailOf } = await import('./cli/admin.ts');
      const { readPassword } = await import('./cli/password.ts');
      return withPlatform(config, createAdministrator(emailOf(values), await readPassword()));
    }
    case 'signing-keys rotate':
      return withPlatform(config, async ({ identity }) => console.log(await identity.rotateSigningKey()));
    case 'verify': {
      const { verifyCommand } = await import('./cli/verify.ts');
      return withPlatform(config, verifyCommand);
    }
    default:
      throw new UsageFault(command === '' ? 'no command was given' : `unknown command "${command}"`);
  }
}

// The reader of our output may close the pipe, as `| head` does; that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await main();
} catch (thrown) {
  const error = connectionFault(thrown) ?? portFault(thrown) ?? thrown;
  const isReported =
    error instanceof OperatorFault ||
    error instanceof Failure ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isReported ? (error as Error).message : error);
  if (error instanceof UsageFault) console.error(`\n${HELP}`);
  process.exit(error instanceof UsageFault ? 2 : 1);
}
