import { parseArgs } from 'node:util';
import { nearestOf } from '../kernel/text/nearest.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { UsageFault } from './usage.ts';

/** The request of a command line. */
export type CommandLine =
  | { kind: 'overview'; commands: readonly Command[] }
  | { kind: 'version' }
  | { kind: 'help'; command: Command }
  | {
      kind: 'run';
      command: Command;
      values: Record<string, string | undefined>;
      switches: ReadonlySet<string>;
    };

const asksForHelp = (args: string[]): boolean => args.some((arg) => arg === '--help' || arg === '-h');

/**
 * Reads the arguments of the program.
 * @throws UsageFault when no command is named, or its options are invalid
 */
export function readCommandLine(given: string[]): CommandLine {
  const args = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  if (args[0] === '--version') return { kind: 'version' };
  const command = commandNamedIn(args);
  if (command && asksForHelp(args)) return { kind: 'help', command };
  if (asksForHelp(args)) {
    const named = COMMANDS.filter(({ name }) => name.startsWith(`${args[0]} `));
    return { kind: 'overview', commands: named.length > 0 ? named : COMMANDS };
  }
  if (!command) throw new UsageFault(unknown(args));
  const commandLine = { kind: 'run' as const, command, ...optionsOf(command, args) };
  const missing = requiredOf(command).filter((option) => !commandLine.values[option]);
  if (missing.length > 0)
    throw new UsageFault(`${missing.map((option) => `--${option}`).join(' and ')} must be given.`);
  return commandLine;
}

/** Returns the command that the arguments name, whatever its options are. */
export function commandNamedIn(args: string[]): Command | undefined {
  return COMMANDS.find(({ name }) => name.split(' ').every((word, place) => args[place] === word));
}

function unknown(args: string[]): string {
  const words = args.slice(0, 2).filter((arg) => !arg.startsWith('-'));
  if (words.length === 0) return 'No command was given.';
  const names = COMMANDS.map(({ name }) => name);
  const longer = names.filter((name) => name.startsWith(`${words[0]} `));
  if (longer.length > 0) return `The command is one of: ${longer.join(', ')}.`;
  const nearest = nearestOf(words.join(' '), names) ?? nearestOf(words[0] as string, names);
  return `"${words.join(' ')}" is not a command.${nearest ? ` Did you mean "${nearest}"?` : ''}`;
}

const requiredOf = ({ options = {} }: Command): string[] =>
  Object.keys(options).filter((option) => options[option]?.isRequired);

/** @throws UsageFault that names the command */
function optionsOf(command: Command, args: string[]) {
  const { name, options = {}, refused = [] } = command;
  const declared = [
    ...Object.entries(options).map(([option, { value }]) => [option, value ? 'string' : 'boolean'] as const),
    ...refused.map((option) => [option, 'string'] as const),
  ];
  try {
    const { values } = parseArgs({
      args: args.slice(name.split(' ').length),
      options: Object.fromEntries(declared.map(([option, type]) => [option, { type }])),
    });
    const entries = Object.entries(values);
    return {
      values: Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== true)),
      switches: new Set(entries.flatMap(([option, value]) => (value === true ? [option] : []))),
    };
  } catch (error) {
    // The sentences after the first one explain arguments that begin with a dash.
    throw new UsageFault(`${(error as Error).message.split('. ', 1)[0]?.replace(/\.$/, '')}.`);
  }
}
