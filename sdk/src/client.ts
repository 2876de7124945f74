import { type Caller, createCaller } from './caller.ts';
import { methodsOf } from './facade.ts';
import { followStorage } from './following.ts';
import { type Members, members } from './generated/members.ts';
import { createLive, type Live } from './live/live.ts';
import { type ClientOptions, checkOptions } from './options.ts';
import { signOutHere } from './signing-out.ts';
import { sharedByTabs } from './storage.ts';

/** The operations of members in groups, and the live channel. */
export interface Client extends Members, Caller {
  /** Signs this device out, and no other. Its tokens are forgotten even if the platform cannot be reached. */
  signOut(): Promise<void>;
  /** The live channel: one connection for everything, opened when the first thing is asked of it. */
  live(): Live;
}

/** Makes a client with everything that members do. A program that calls few operations is smaller with `createCaller`. */
export function createClient(options: ClientOptions): Client {
  checkOptions(options);
  const { storage } = options;
  const caller = createCaller({ ...options, ...(storage && { storage: sharedByTabs(storage) }) });
  followStorage(caller);
  let live: Live | undefined;
  return {
    ...methodsOf<Members>(caller, members),
    ...caller,
    signOut: () => signOutHere(caller),
    live: () => {
      live ??= createLive(caller);
      return live;
    },
  };
}
