import type { Caller } from './caller.ts';
import { PlatformError } from './errors.ts';
import type { Signal } from './host.ts';
import type { Answer, Operation } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { Keeper } from './signed-in.ts';

/**
 * Returns a caller whose calls go on where the platform asks again who the member is (403 `STEP_UP_REQUIRED`): `confirm`
 * steps the session up, and the refused call is sent once more, with the same Idempotency-Key. Calls that are refused
 * meanwhile wait for the same confirmation. It gives up by throwing or by answering false, which leaves the refusals as
 * they are. `createClient` does this with its `onStepUp`.
 * @param confirm gets the given caller, whose calls do not wait for it
 */
export function steppingUp(caller: Caller, confirm: (caller: Caller) => Promise<unknown>): Caller {
  let pending: Promise<boolean> | undefined;
  /** How often it was confirmed: a call that was sent before the last time need not ask again. */
  let confirmations = 0;

  async function ask(): Promise<boolean> {
    try {
      if ((await confirm(caller)) === false) return false;
      confirmations++;
      return true;
    } catch {
      return false;
    }
  }

  /** Asks, unless somebody is being asked. */
  function isConfirmed(): Promise<boolean> {
    pending ??= ask().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  async function goOn(
    session: Keeper,
    signal: Signal | undefined,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const before = confirmations;
    const member = await session.read();
    try {
      return await send();
    } catch (refusal) {
      if (!(refusal instanceof PlatformError) || refusal.code !== 'STEP_UP_REQUIRED') throw refusal;
      if (confirmations === before && !(await unlessAborted(isConfirmed(), signal))) throw refusal;
      // Whoever has signed in meanwhile is not who asked for this.
      if ((await session.read())?.id !== member?.id) throw refusal;
      return send();
    }
  }

  const careful = (operation: Operation, options?: CallOptions): Operation => ({
    ...operation,
    around: (request, session, send) =>
      goOn(session, options?.signal, () => operation.around?.(request, session, send) ?? send(request)),
  });
  const call = (operation: Operation, request: object, options?: CallOptions) =>
    caller.call(careful(operation, options), request, options);
  return {
    ...caller,
    // The types of an operation stay the same.
    call: call as Caller['call'],
    raw: (operation, request, options) => caller.raw(careful(operation, options), request, options),
  };
}

/** Waits for a promise; rejects with the signal's reason once that is aborted. */
function unlessAborted<T>(promise: Promise<T>, signal: Signal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
