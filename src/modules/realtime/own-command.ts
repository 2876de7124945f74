import type { Static, TObject } from 'typebox';
import { type Command, type CommandOptions, command } from '../../kernel/live-commands.ts';
import type { Connection } from './connection.ts';

/** Declares a command of the realtime module itself, with access to the full connection. */
export const ownCommand = <Fields extends TObject>(
  options: { fields: Fields } & CommandOptions<Static<Fields> & object, Connection>,
): Command => command(options);
