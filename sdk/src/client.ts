import { type Caller, createCaller } from './caller.ts';
import { methodsOf } from './facade.ts';
import { type Members, members } from './generated/members.ts';
import { createLive, type Live } from './live/live.ts';
import type { ClientOptions } from './options.ts';

/** The operations of members in groups, and the live channel. */
export interface Client extends Members, Caller {
  /** The live channel: one connection for everything, opened when the first thing is asked of it. */
  live(): Live;
}

/** Makes a client with everything that members do. A program that calls few operations is smaller with `createCaller`. */
export function createClient(options: ClientOptions): Client {
  const caller = createCaller(options);
  let live: Live | undefined;
  return {
    ...methodsOf<Members>(caller, members),
    ...caller,
    live: () => {
      live ??= createLive(caller);
      return live;
    },
  };
}
