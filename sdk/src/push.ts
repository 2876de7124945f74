import type { Caller } from './caller.ts';
import { PlatformError } from './errors.ts';
import { registerDevice } from './generated/operations/push-and-preferences.ts';
import type { RegisterDeviceBody } from './generated/wire.ts';
import { sleep } from './host.ts';
import { isLost } from './retrying.ts';

export interface KeepRegisteredOptions {
  /** Called when the device provides no token, or the platform refuses it. */
  onError?(error: unknown): void;
}

/** A device that could not be registered for want of a connection is registered when there is one again. */
const RETRY_MS = 30_000;

/**
 * Registers this device for push notifications, now if somebody is signed in, and again after each sign-in to come: a
 * device belongs to the session that registered it. `device` returns what identifies it, or undefined if the member
 * wants no pushes.
 * @returns stops registering it
 */
export function keepRegistered(
  { session, call }: Pick<Caller, 'session' | 'call'>,
  device: () => RegisterDeviceBody | undefined | Promise<RegisterDeviceBody | undefined>,
  { onError = () => undefined }: KeepRegisteredOptions = {},
): () => void {
  let isOver = false;

  async function register(): Promise<void> {
    const signedIn = await session.read();
    const isCurrent = async () => !isOver && signedIn && (await session.read())?.id === signedIn.id;
    while (await isCurrent())
      try {
        const body = await device();
        if (body && (await isCurrent())) await call(registerDevice, { body });
        return;
      } catch (error) {
        if (!(error instanceof PlatformError && isLost(error))) throw error;
        await sleep(RETRY_MS);
      }
  }
  const start = () => void register().catch(onError);

  // Every sign-in is written to the session; renewed tokens are not written by this method.
  const { write } = session;
  session.write = async (kept) => {
    try {
      await write(kept);
    } finally {
      if (kept) start();
    }
  };
  start();
  return () => {
    isOver = true;
  };
}
