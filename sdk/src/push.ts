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

/** A device that could not be registered because the network was down is registered when it returns. */
const RETRY_MS = 30_000;

/**
 * Registers this device for push notifications: now if a member is signed in, and after each later sign-in, because
 * a device belongs to the session that registered it. `device` returns the registration of the device, or undefined
 * if the member wants no pushes.
 * @returns a function that ends the registering
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

  // `write` stores each sign-in; renewed tokens are stored by another method.
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
