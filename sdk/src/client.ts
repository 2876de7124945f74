import { type Caller, createCaller, type RawArguments } from './caller.ts';
import { methodsOf } from './facade.ts';
import { type MemberOperationId, type Members, members } from './generated/members.ts';
import type * as operations from './generated/operations/index.ts';
import { type Fetch, host } from './host.ts';
import { createLive, type Live } from './live/live.ts';
import type { AnswerOf, Operation } from './operation.ts';
import { type ClientOptions, checkOptions } from './options.ts';
import { followStorage } from './other-tabs.ts';
import { signOutHere } from './signing-out.ts';
import { steppingUp } from './step-up.ts';
import { sharedByTabs } from './storage.ts';

type Operations = typeof operations;

export interface CreateClientOptions extends ClientOptions {
  /**
   * Steps the session up when the platform asks for a confirmation (403 `STEP_UP_REQUIRED`), for example by
   * `api.secondFactors.stepUp({ mfaCode })`. The refused calls are then repeated; they stay refused if it throws or
   * returns false. Calls through its `api` do not wait for the step-up.
   */
  onStepUp?(api: Members): Promise<unknown>;
}

/** The operations of members in groups, and the live channel. */
export interface Client extends Members, Caller {
  /**
   * Calls an operation, given as a value or by its id, such as `getBalance`, and returns the whole response, with
   * `message`, `meta` and `pagination`.
   */
  raw: Caller['raw'] &
    (<Id extends MemberOperationId>(
      id: Id,
      ...given: RawArguments<Operations[Id]>
    ) => Promise<AnswerOf<Operations[Id]>>);
  /** Signs out this device only. Its tokens are deleted even if the platform cannot be reached. */
  signOut(): Promise<void>;
  /** The live channel: one connection for all subscriptions, opened on first use. */
  live(): Live;
}

/**
 * Creates a client with all operations of members. A program that calls few operations is smaller with
 * `createCaller`.
 */
export function createClient(options: CreateClientOptions): Client {
  checkOptions(options);
  const { storage, onStepUp, ...others } = options;
  let live: Live | undefined;
  /** An answer shows that the network is back, of which the live channel may learn from nothing else. */
  const fetch: Fetch = async (...request) => {
    const answer = await (options.fetch ?? (host.fetch as Fetch))(...request);
    if (answer.status < 300 && live?.state.name === 'offline') live.reconnect();
    return answer;
  };
  const plain = createCaller({ ...others, fetch, ...(storage && { storage: sharedByTabs(storage) }) });
  const caller = onStepUp ? steppingUp(plain, () => onStepUp(methodsOf<Members>(plain, members))) : plain;
  followStorage(caller);
  return {
    ...methodsOf<Members>(caller, members),
    ...caller,
    raw: ((operation: Operation | string, ...rest: RawArguments<Operation>) =>
      caller.raw(
        typeof operation === 'string' ? operationOf(operation) : operation,
        ...rest,
      )) as Client['raw'],
    signOut: () => signOutHere(caller),
    live: () => {
      live ??= createLive(caller);
      return live;
    },
  };
}

/** Returns the operation of members with an id. */
function operationOf(id: string): Operation {
  const methods = Object.values(members).flatMap((group) => Object.values(group));
  const found = methods.find(([operation]) => operation.id === id);
  if (!found)
    throw new TypeError(`'${id}' is not an operation of members: import it, and pass the operation itself`);
  return found[0];
}
