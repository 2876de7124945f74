import { forgotPassword, sendNotification, signIn } from '../../../sdk/src/index.ts';
import { PASSWORD } from '../../support/client.ts';
import type { World } from '../world.ts';
import type { Recipes } from './steps.ts';

const NEXT = 'another password for tests';

/** Asks for a code and reads it in the mail. */
async function resetCode(world: World): Promise<{ email: string; code: string }> {
  const { email } = await world.newMember('stranger');
  await (await world.one('guest')).client.call(forgotPassword, { body: { email } });
  const { text } = await world.platform.mailTo(email, 'email.password-reset');
  return { email, code: /\b\d{6}\b/.exec(text)?.[0] as string };
}

/** A member who was mailed a code and a link. */
async function unverified(world: World) {
  const actor = await world.newMember('stranger');
  const { text } = await world.platform.mailTo(actor.email, 'email.verification');
  const code = /\b\d{6}\b/.exec(text)?.[0] as string;
  return { actor, code, token: /link\?token=([\w-]+)/.exec(text)?.[1] as string };
}

/** The token of a mail about a sign-in from a new device. */
async function newSignInToken(world: World): Promise<string> {
  const { email } = await world.newMember('stranger');
  const body = { email, password: PASSWORD, platform: 'web' as const, device: 'another one' };
  await (await world.one('guest')).client.call(signIn, { body });
  const { text } = await world.platform.mailTo(email, 'email.new-sign-in');
  return /new-sign-in\?token=([\w.-]+)/.exec(text)?.[1] as string;
}

/** Sends a mail and takes the token of its link. */
async function unsubscribing(world: World) {
  const { id, email } = await world.newMember('stranger');
  const administrator = await world.one('administrator');
  await administrator.client.call(sendNotification, {
    body: { userId: id, type: 'reminder', title: 'Soon', message: 'It begins.', channels: ['email'] },
  });
  const { text } = await world.platform.mailTo(email, 'email.notification');
  const token = /unsubscribe\?token=([^\s"<>]+)/.exec(text)?.[1] as string;
  return { query: { token: decodeURIComponent(token) } };
}

/** Recipes for the operations that take a code or a link of a mail. */
export const MAILED_RECIPES: Recipes = {
  validateResetCode: async (world) => ({ body: await resetCode(world) }),
  resetPassword: async (world) => ({ body: { ...(await resetCode(world)), newPassword: NEXT } }),
  verifyEmail: async (world) => {
    const { actor, code } = await unverified(world);
    return { actor, body: { code } };
  },
  resendVerification: async (world) => ({ actor: await world.newMember('stranger') }),
  showEmailVerification: async (world) => ({ query: { token: (await unverified(world)).token } }),
  verifyEmailByLink: async (world) => ({ query: { token: (await unverified(world)).token } }),
  showNewSignIn: async (world) => ({ query: { token: await newSignInToken(world) } }),
  endNewSignIn: async (world) => ({ query: { token: await newSignInToken(world) } }),
  unsubscribeByMail: unsubscribing,
  unsubscribeByLink: unsubscribing,
};
