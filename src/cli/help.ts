import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { wrapped } from './wrapped.ts';

const PROGRAM = 'npm run platform --';

/** Returns lines of two columns; the second column is wrapped, so that no line exceeds a terminal's 80 characters. */
function table(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${wrapped(right, width + 2)}`).join('\n');
}

/** Returns the usage line of a command. */
export function usageOf({ name, options = {} }: Command): string {
  const parts = Object.entries(options).map(([option, { value, isRequired }]) => {
    const text = value ? `--${option} ${value}` : `--${option}`;
    return isRequired ? text : `[${text}]`;
  });
  return [PROGRAM, name, ...parts].join(' ');
}

const AS_IT_IS = 'It never migrates the database, and refuses one whose schema is too old.';

/** Returns the help of one command. */
export function helpOf(command: Command): string {
  const { about, options = {}, details = '', database, example } = command;
  const asItIs = database === 'as it is' ? AS_IT_IS : '';
  const rows = Object.entries(options).map(([option, { value, about }]): [string, string] => [
    value ? `--${option} ${value}` : `--${option}`,
    about,
  ]);
  return [
    `Usage: ${usageOf(command)}`,
    wrapped(
      `${about[0]?.toUpperCase()}${about.slice(1)}. ${details} ${asItIs}`.replace(/ {2,}/g, ' ').trim(),
      0,
    ),
    ...(rows.length > 0 ? [table(rows)] : []),
    `For example:\n  ${example}`,
  ].join('\n\n');
}

/** Returns the names of the commands that migrate the database, as a sentence lists them. */
function migrating(): string {
  const names = COMMANDS.filter(({ database }) => database === 'migrates').map(({ name }) => name);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Returns the overview of the program, with a list of the given commands. */
export const overview = (commands: readonly Command[] = COMMANDS): string => `\
platform-api: the backend platform of paid trading-education communities

Usage: ${PROGRAM} <command> [options]

${table(commands.map(({ name, about }) => [name, about]))}

${table([
  ['<command> --help', 'show the options of a command, and an example'],
  ['--help, -h', 'show this help'],
  ['--version', 'print the version'],
])}

${wrapped(
  `Settings come from environment variables or a .env file; .env.example lists them all. Commands work with or without a running server. Only ${migrating()} migrate the database.`,
  0,
)}`;
