import type { FastifyInstance } from 'fastify';
import type { NewId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { newSecret, type Secrets } from '../../kernel/secrets.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Authenticate } from '../authentication.ts';
import { consoleCookies } from './cookies.ts';
import { consoleCredentials } from './credentials.ts';
import { consolePages } from './pages.ts';
import { addConsoleSessions } from './sessions.ts';

export interface ConsoleDeps {
  secrets: Secrets;
  isProduction: boolean;
  environment: string;
  version: string;
  /** Whether there are passkeys. */
  offersPasskeys: boolean;
  /** The URL at which clients reach the API; a path where none is configured. */
  publicUrl: string;
  clock: Clock;
  newId: NewId;
  authenticate: Authenticate;
  /** Returns the current data of the members whose sessions are active. */
  callersOf: (sessionIds: string[]) => Promise<UserCaller[]>;
}

/**
 * The console of operators at `/console`. Its pages call the operations of the API under `/console/api`, with a cookie in
 * place of an API key and tokens, which a browser could leak.
 */
export function operatorConsole({ secrets, isProduction, publicUrl, ...deps }: ConsoleDeps) {
  const publicOrigin = URL.canParse(publicUrl) ? new URL(publicUrl).origin : undefined;
  const cookies = consoleCookies({ secrets, clock: deps.clock, isProduction });
  const shared = { ...deps, cookies, publicOrigin, inside: newSecret() };
  return {
    pages: consolePages(isProduction),
    readCredentials: consoleCredentials(shared),
    addSessions: (app: FastifyInstance): void => addConsoleSessions(app, shared),
  };
}
