import Stripe from 'stripe';
import { newEmail, PASSWORD } from '../../support/client.ts';
import { until } from '../../support/live.ts';
import { PAYMENT_WEBHOOK_SECRET } from '../../support/platform.ts';
import type { Actor, World } from '../world.ts';
import { type Recipes, step } from './steps.ts';

const { webhooks } = new Stripe('sk');
const NEXT = 'another password for tests';

const throwaway = async (world: World) => ({ params: { userId: (await world.newMember('stranger')).id } });

const newUser = async () => ({ body: { email: newEmail(), firstName: 'Ada', lastName: 'Lovelace' } });
const ofCustomer = async (world: World) => ({ params: { userId: (await world.one('customer')).id } });

/** A member with a notification. */
async function notified(world: World) {
  const actor = await world.newMember('stranger');
  const letter = { userId: actor.id, type: 'reminder', title: 'Soon', message: 'It begins.' };
  await step(await world.one('administrator'), 'POST', '/v1/notifications/send', letter);
  const [{ id: notificationId }] = await step(actor, 'GET', '/v1/notifications');
  return { actor, params: { notificationId } };
}

/** Somebody with the purchase that every client platform asks for. */
async function newBuyer(world: World): Promise<Required<Actor>> {
  const buyer = await world.newMember('stranger');
  const purchase = {
    sku: 'XHSET303',
    product_name: 'All of it',
    last_purchased_date: world.platform.clock.date().toISOString(),
  };
  await step(
    await world.one('administrator'),
    'POST',
    `/v1/admin/auth/users/${buyer.id}/purchases`,
    purchase,
  );
  return buyer;
}

async function hop(world: World, platform: string) {
  const { id, accessToken, refreshToken } = await newBuyer(world);
  return { userId: id, accessToken, refreshToken, platform, device: 'fuzz' };
}

/** Asks for a code and reads it in the mail. */
async function resetCode(world: World): Promise<{ email: string; code: string }> {
  const { email } = await world.newMember('stranger');
  await step(await world.one('guest'), 'POST', '/auth/forgot-password', { email });
  const { text } = await world.platform.mailTo(email, 'email.password-reset');
  return { email, code: /\b\d{6}\b/.exec(text)?.[0] as string };
}

async function withdrawal(world: World): Promise<{ actor: Actor; transactionId: string }> {
  const actor = await world.newMember('customer');
  const { transaction } = await step(actor, 'POST', '/v1/wallets/withdraw', { amount: 10 });
  return { actor, transactionId: transaction.transactionId };
}

/** Sends a mail and takes the token of its link. */
async function unsubscribing(world: World) {
  const { id, email } = await world.newMember('stranger');
  const letter = { userId: id, type: 'reminder', title: 'Soon', message: 'It begins.', channels: ['email'] };
  await step(await world.one('administrator'), 'POST', '/v1/notifications/send', letter);
  const { text } = await world.platform.mailTo(email, 'email.notification');
  const token = /unsubscribe\?token=([^\s"<>]+)/.exec(text)?.[1] as string;
  return { query: { token: decodeURIComponent(token) } };
}

export const ACCOUNT_RECIPES: Recipes = {
  getMember: async (world) => ({ params: { id: (await world.newMember('stranger')).id } }),
  listMembers: async (world) => ({ query: { ids: (await world.newMember('stranger')).id } }),
  signUp: async () => ({
    body: { email: newEmail(), password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace', platform: 'web' },
  }),
  createUser: newUser,
  createUserDeprecated: newUser,
  getWalletAsAdmin: ofCustomer,
  changeWallet: ofCustomer,
  getStatement: ofCustomer,
  transferKeys: async (world) => ({
    actor: await world.one('customer'),
    body: { toUserId: (await world.one('educator')).id, amount: 1 },
  }),
  setExchangeRate: async () => ({ body: { rate: 1, currency: 'EUR', notes: 'As ever' } }),
  convertKeysToMoney: async () => ({ body: { keys: 1, currency: 'USD' } }),
  convertMoneyToKeys: async () => ({ body: { usd: 1, currency: 'USD' } }),
  signIn: async (world) => {
    const { email } = await world.newMember('stranger');
    return { body: { email, password: PASSWORD, platform: 'web', device: 'fuzz' } };
  },
  refreshToken: async (world) => ({
    body: { refreshToken: (await world.newMember('stranger')).refreshToken },
  }),
  signInSso: async (world) => ({ body: await hop(world, 'livestream') }),
  signInSsoByLink: async (world) => ({ query: await hop(world, 'livestream') }),
  redeemSsoToken: async (world) => {
    const guest = await world.one('guest');
    const { redirectUrl } = await step(guest, 'POST', '/v1/auth/signin-sso', await hop(world, 'livestream'));
    return { body: { token: new URL(redirectUrl).searchParams.get('token') } };
  },
  removePurchase: async (world) => {
    const { id: userId } = await newBuyer(world);
    const path = `/v1/admin/auth/users/${userId}/purchases`;
    const [{ id: purchaseId }] = await step(await world.one('administrator'), 'GET', path);
    return { params: { userId, purchaseId } };
  },
  signOut: async (world) => ({ actor: await world.newMember('stranger') }),
  validateResetCode: async (world) => ({ body: await resetCode(world) }),
  resetPassword: async (world) => ({ body: { ...(await resetCode(world)), newPassword: NEXT } }),
  deleteOwnAccount: async (world) => ({
    actor: await world.newMember('stranger'),
    body: { password: PASSWORD },
  }),
  changePassword: async (world) => ({
    actor: await world.newMember('stranger'),
    body: { currentPassword: PASSWORD, newPassword: NEXT },
  }),
  validateFundingKey: async (world) => {
    const actor = await world.newMember('stranger');
    const path = `/v1/admin/auth/users/${actor.id}/funding-key`;
    const data = await step(await world.one('administrator'), 'POST', path);
    return { actor, body: { password: data.key ?? data.fundingKey ?? data.password } };
  },
  getPermissions: async (world) => {
    const actor = await world.one('member');
    return { actor, params: { userId: actor.id } };
  },
  replacePermissions: throwaway,
  assignPermissions: throwaway,
  unassignPermissions: throwaway,
  deleteUser: throwaway,
  endSessionsOfUser: throwaway,
  revokeApiKey: async (world) => ({ params: { id: (await world.platform.newKey('crm')).id } }),
  receivePaymentWebhook: async () => {
    const body = { type: 'customer.created', data: { object: {} } };
    const payload = JSON.stringify(body);
    const signature = webhooks.generateTestHeaderString({ payload, secret: PAYMENT_WEBHOOK_SECRET });
    return { body, headers: { 'stripe-signature': signature } };
  },
  cancelWithdrawal: async (world) => {
    const { actor, transactionId } = await withdrawal(world);
    return { actor, params: { transactionId } };
  },
  settleWithdrawal: async (world) => {
    const { transactionId } = await withdrawal(world);
    const waiting = "select from merchant.payout where status in ('queued', 'submitting')";
    const isSubmitted = async (): Promise<boolean> =>
      (await world.platform.database.all(waiting)).length === 0;
    await until(isSubmitted, 'the payout at the provider');
    return { params: { transactionId }, body: { outcome: 'failed', reason: 'By hand' } };
  },
  unsubscribeByMail: unsubscribing,
  unsubscribeByLink: unsubscribing,
  readNotification: notified,
  deleteNotification: notified,
  registerDevice: async (world) => ({
    body: { token: `token-${(await world.one('member')).id}`, platform: 'ios' },
  }),
  unregisterDevice: async (world) => {
    const [actor, token] = [await world.one('member'), `token-${Math.random()}`];
    await step(actor, 'POST', '/push-notifications/register', { token, platform: 'ios' });
    return { actor, body: { token } };
  },
  testPush: async (world) => {
    const actor = await world.newMember('stranger');
    await step(actor, 'POST', '/push-notifications/register', {
      token: `token-${actor.id}`,
      platform: 'ios',
    });
    return { actor };
  },
};
