import { type Config, readConfig } from '../app/config.ts';
import { platformVersion } from '../app/version.ts';
import { Failure } from '../kernel/failures.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import type { Command } from './command.ts';
import { commandNamedIn, readCommandLine } from './command-line.ts';
import { connectionFault } from './connection-fault.ts';
import { refuseToMakeDatabase } from './data-folder.ts';
import { readEnvironmentFile } from './environment-file.ts';
import { helpOf, overview, usageOf } from './help.ts';
import { missingPackage } from './missing-package.ts';
import { portFault } from './ports.ts';
import { operatorOutput } from './progress.ts';
import { UsageFault } from './usage.ts';

const args = process.argv.slice(2);

async function main(): Promise<void> {
  const wish = readCommandLine(args);
  if (wish.kind === 'overview') console.log(overview(wish.commands));
  else if (wish.kind === 'help') console.log(helpOf(wish.command));
  else if (wish.kind === 'version')
    console.log(`platform-api ${platformVersion()} (Node ${process.version})`);
  else await wish.command.run({ ...wish, config: () => settingsOf(wish.command) });
}

/** Returns the settings of a command: only those that declare it migrate the database, and none makes one to take it as it is. */
function settingsOf({ database }: Command): Config {
  const config = readSettings();
  if (database === 'as it is') refuseToMakeDatabase(config);
  return database === 'migrates' ? config : { ...config, migrate: 'off' };
}

/** Reads the settings; first warns of unknown and misspelt variables, since they may explain faults in the settings. */
function readSettings(): Config {
  const unknown = readEnvironmentFile();
  try {
    const config = readConfig(process.env);
    for (const sentence of unknown) operatorOutput(config)(sentence, 'warn');
    return config;
  } catch (error) {
    for (const sentence of unknown) console.error(sentence);
    throw error;
  }
}

/** Returns the hint that follows an error of the command line. */
function advice(): string {
  const command = commandNamedIn(args);
  return command
    ? `Usage: ${usageOf(command)} (--help explains it)`
    : 'npm run platform -- --help lists the commands.';
}

// The reader of standard output may close the pipe, as `| head` does; that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await main();
} catch (thrown) {
  const error = missingPackage(thrown) ?? connectionFault(thrown) ?? portFault(thrown) ?? thrown;
  const isReported = error instanceof OperatorFault || error instanceof Failure;
  console.error(isReported ? (error as Error).message : error);
  if (error instanceof UsageFault) console.error(advice());
  process.exit(error instanceof UsageFault ? 2 : 1);
}
