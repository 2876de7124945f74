import type { Static, TObject } from 'typebox';
import { type Command, type CommandOptions, command } from '../../kernel/live/live-commands.ts';
import type { Connection } from './connection.ts';

/**
 * Declares a command of the realtime module itself, with access to the full connection. It concerns only the
 * connection, so it is dropped if the connection has closed before its turn.
 */
export const ownCommand = <Fields extends TObject>({
  handle,
  ...options
}: { fields: Fields } & CommandOptions<Static<Fields> & object, Connection>): Command =>
  command<Fields, Connection>({
    ...options,
    handle: async (context) => (context.connection.isOpen ? handle(context) : undefined),
  } as { fields: Fields } & CommandOptions<Static<Fields> & object, Connection>);
