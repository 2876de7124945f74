import type { Caller } from './caller.ts';
import { PlatformError } from './errors.ts';
import { type Signal, within } from './host.ts';
import type { Answer, Operation } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { Keeper } from './signed-in.ts';

/** The outcome of a confirmation. */
interface Outcome {
  isConfirmed: boolean;
  /** The error that `confirm` threw. */
  cause?: unknown;
}

/**
 * Returns a caller whose calls go on where the platform asks for a confirmation (403 `STEP_UP_REQUIRED`): `confirm`
 * steps the session up, and the refused call is sent once more, with the same Idempotency-Key. Calls that are refused
 * meanwhile wait for the same confirmation, however long it takes, until they are aborted or the member is signed out. It
 * gives up by throwing, which is the `cause` of the refusals then, or by answering false; both leave the refusals as they
 * are. `createClient` does this with its `onStepUp`.
 * @param confirm gets the given caller, whose calls do not wait for it; those of the returned one would wait for one another
 */
export function steppingUp(caller: Caller, confirm: (caller: Caller) => Promise<unknown>): Caller {
  let pending: Promise<Outcome> | undefined;
  /** Number of confirmations: a call that was sent before the latest one need not ask again. */
  let confirmations = 0;

  async function ask(): Promise<Outcome> {
    try {
      return { isConfirmed: (await confirm(caller)) !== false };
    } catch (cause) {
      return { isConfirmed: false, cause };
    }
  }

  /** Asks for confirmation unless a request for one is open. A sign-out ends the request. */
  function asking(): Promise<Outcome> {
    if (pending) return pending;
    const { listeners } = caller.session;
    const mine = new Promise<Outcome>((resolve) => {
      const end = (outcome: Outcome) => {
        // Ignores the answer to an abandoned request, which may arrive while another member is being asked.
        if (!listeners.delete(leave)) return;
        pending = undefined;
        if (outcome.isConfirmed) confirmations++;
        resolve(outcome);
      };
      const leave = () => end({ isConfirmed: false });
      listeners.add(leave);
      void ask().then(end);
    });
    pending = mine;
    return mine;
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
      let outcome: Outcome = { isConfirmed: confirmations !== before };
      if (!outcome.isConfirmed)
        await within(Number.POSITIVE_INFINITY, signal, async () => {
          outcome = await asking();
        });
      // Another member has signed in since the request was made.
      if (!outcome.isConfirmed || (await session.read())?.id !== member?.id)
        throw new PlatformError(refusal, { cause: outcome.cause });
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
  const raw = (operation: Operation, request?: object, options?: CallOptions) =>
    caller.raw(careful(operation, options), request, options);
  return {
    ...caller,
    // The types of an operation stay the same.
    call: call as Caller['call'],
    raw: raw as Caller['raw'],
  };
}
