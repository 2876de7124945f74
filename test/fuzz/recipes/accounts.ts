import Stripe from 'stripe';
import {
  buyKeys,
  enrollAuthenticator,
  exportOwnData,
  getPasskeyOptions,
  issueFundingKey,
  listAlerts,
  listCheckouts,
  listNotifications,
  listPurchases,
  listSessions,
  listSessionsOfUser,
  recordPurchase,
  registerDevice,
  sendNotification,
  signInSso,
  stepUp,
  transferKeys,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import { addKey, authenticator, newChallenge } from '../../support/authenticator.ts';
import { newEmail, PASSWORD } from '../../support/client.ts';
import { appOf, elevate, withApp } from '../../support/factors.ts';
import { newLeaver } from '../../support/leavers.ts';
import { until } from '../../support/live.ts';
import { PAYMENT_WEBHOOK_SECRET, WEBHOOK_SECRET } from '../../support/platform.ts';
import type { Actor, World } from '../world.ts';
import type { Recipes } from './steps.ts';

const { webhooks } = new Stripe('sk');
const NEXT = 'another password for tests';

const throwaway = async (world: World) => ({ params: { userId: (await world.newMember('stranger')).id } });

const newUser = async () => ({ body: { email: newEmail(), firstName: 'Ada', lastName: 'Lovelace' } });
const ofCustomer = async (world: World) => ({ params: { userId: (await world.one('customer')).id } });

/** A member with a notification. */
async function notified(world: World) {
  const actor = await world.newMember('stranger');
  const administrator = await world.one('administrator');
  await administrator.client.call(sendNotification, {
    body: { userId: actor.id, type: 'reminder', title: 'Soon', message: 'It begins.' },
  });
  const [newest] = (await actor.client.call(listNotifications)).data;
  return { actor, params: { notificationId: newest?.id } };
}

/** Somebody with the purchase that every client platform asks for. */
async function newBuyer(world: World): Promise<Required<Actor>> {
  const buyer = await world.newMember('stranger');
  const administrator = await world.one('administrator');
  await administrator.client.call(recordPurchase, {
    params: { userId: buyer.id },
    body: {
      sku: 'XHSET303',
      product_name: 'All of it',
      last_purchased_date: world.platform.clock.date().toISOString(),
    },
  });
  return buyer;
}

async function hop(world: World) {
  const { id, accessToken, refreshToken } = await newBuyer(world);
  return { userId: id, accessToken, refreshToken, platform: 'livestream' as const, device: 'fuzz' };
}

async function withdrawal(world: World): Promise<{ actor: Actor; transactionId: string }> {
  const actor = await world.newMember('customer');
  const { data } = await actor.client.call(withdrawKeys, { body: { amount: 10 } });
  return { actor, transactionId: data.transaction.transactionId };
}

async function ownWithdrawal(world: World) {
  const { actor, transactionId } = await withdrawal(world);
  return { actor, params: { transactionId } };
}

/** A checkout that a member opened. */
async function checkout(world: World) {
  const { id: userId, client } = await world.newMember('customer');
  await client.call(buyKeys, { body: { amount: 10 } });
  const administrator = await world.one('administrator');
  const [newest] = (await administrator.client.call(listCheckouts, { query: { userId } })).data;
  return { params: { id: newest?.id } };
}

/** Somebody with an authenticator app who has just confirmed it. */
async function ofElevated(world: World) {
  const actor = await withApp(world.platform, await world.newMember('stranger'));
  await elevate(actor);
  return { actor };
}

async function withPasskey(world: World) {
  const actor = await world.newMember('stranger');
  const { made, passkey } = await addKey(actor.client);
  return { actor, made, id: passkey.id };
}

export const ACCOUNT_RECIPES: Recipes = {
  updateUser: async (world) => ({ ...(await throwaway(world)), body: { firstName: 'Augusta' } }),
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
  convertKeysToMoney: async () => ({ body: { keys: 1, currency: 'USD' } }),
  convertMoneyToKeys: async () => ({ body: { usd: 1, currency: 'USD' } }),
  signIn: async (world) => {
    const { email } = await world.newMember('stranger');
    return { body: { email, password: PASSWORD, platform: 'web', device: 'fuzz' } };
  },
  refreshToken: async (world) => ({
    body: { refreshToken: (await world.newMember('stranger')).refreshToken },
  }),
  signInSso: async (world) => ({ body: await hop(world) }),
  signInSsoByLink: async (world) => ({ query: await hop(world) }),
  redeemSsoToken: async (world) => {
    const guest = await world.one('guest');
    const { data } = await guest.client.call(signInSso, { body: await hop(world) });
    return { body: { token: new URL(data.redirectUrl as string).searchParams.get('token') } };
  },
  removePurchase: async (world) => {
    const { id: userId } = await newBuyer(world);
    const administrator = await world.one('administrator');
    const [purchase] = (await administrator.client.call(listPurchases, { params: { userId } })).data;
    return { params: { userId, purchaseId: purchase?.id } };
  },
  receiveMailFeedback: async () => ({
    body: { email: 'bounced@example.com', kind: 'bounce', permanent: true },
  }),
  deleteMailSuppression: async (world) => {
    const email = 'removed@example.com';
    const body = { email, kind: 'complaint', permanent: true };
    const sender = world.platform.client.with({ 'x-webhook-secret': WEBHOOK_SECRET });
    await sender.raw('POST', '/v1/webhooks/mail', body);
    return { params: { email } };
  },
  signOut: async (world) => ({ actor: await world.newMember('stranger') }),
  deleteOwnAccount: async (world) => ({
    actor: await world.newMember('stranger'),
    body: { password: PASSWORD },
  }),
  exportOwnData: async (world) => ({ actor: await world.newMember('stranger') }),
  getOwnExport: async (world) => {
    const actor = await world.newMember('stranger');
    await actor.client.call(exportOwnData);
    return { actor };
  },
  getExportOfUser: async (world) => {
    const { id: userId, client } = await world.newMember('stranger');
    await client.call(exportOwnData);
    return { params: { userId } };
  },
  changePassword: async (world) => ({
    actor: await world.newMember('stranger'),
    body: { currentPassword: PASSWORD, newPassword: NEXT },
  }),
  validateFundingKey: async (world) => {
    const actor = await world.newMember('stranger');
    const administrator = await world.one('administrator');
    const { data } = await administrator.client.call(issueFundingKey, { params: { userId: actor.id } });
    return { actor, body: { password: data.fundingKey } };
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
  enrollAuthenticator: async (world) => ({ actor: await world.newMember('stranger') }),
  confirmAuthenticator: async (world) => {
    const actor = await world.newMember('stranger');
    const { secret } = (await actor.client.call(enrollAuthenticator)).data;
    return { actor, body: { code: appOf(world.platform, secret).code() } };
  },
  addPasskey: async (world) => {
    const actor = await world.newMember('stranger');
    const { challenge } = (await actor.client.call(getPasskeyOptions)).data;
    return { actor, body: { name: 'Fuzz', response: authenticator().create(String(challenge)) } };
  },
  renamePasskey: async (world) => {
    const { actor, id } = await withPasskey(world);
    return { actor, params: { id } };
  },
  removePasskey: async (world) => {
    const { actor, id, made } = await withPasskey(world);
    const passkey = made.get(await newChallenge(actor.client));
    await actor.client.call(stepUp, { body: { passkey } });
    return { actor, params: { id } };
  },
  signInByPasskey: async (world) => {
    const { actor, made } = await withPasskey(world);
    return {
      body: { response: made.get(await newChallenge(actor.client)), platform: 'web', device: 'fuzz' },
    };
  },
  removeAuthenticator: ofElevated,
  renewRecoveryCodes: ofElevated,
  removeFactorsOfUser: throwaway,
  stepUp: async (world) => ({ actor: await world.newMember('stranger'), body: { password: PASSWORD } }),
  endSession: async (world) => {
    const actor = await world.newMember('stranger');
    const [session] = (await actor.client.call(listSessions)).data;
    return { actor, params: { sessionId: session?.id } };
  },
  endSessionOfUser: async (world) => {
    const { id: userId } = await world.newMember('stranger');
    const { client } = await world.one('administrator');
    const [session] = (await client.call(listSessionsOfUser, { params: { userId } })).data;
    return { params: { userId, sessionId: session?.id } };
  },
  getLedgerVerification: async (world) => {
    await world.platform.platform.wallet.verify();
    return {};
  },
  payOutRemainingKeys: async (world) => ({
    body: { userId: await newLeaver(world.platform, 500), amount: 100, reason: 'As ever' },
  }),
  closeAlert: async (world) => {
    const query = { target: await newLeaver(world.platform, 500) };
    const [alert] = (await world.platform.admin.call(listAlerts, { query })).data;
    return { params: { alertId: alert?.id as string }, body: { reason: 'As ever' } };
  },
  debitWallet: async (world) => ({
    body: { userId: (await world.newMember('customer')).id, amount: 1, reason: 'As ever' },
  }),
  reverseTransaction: async (world) => {
    const { client } = await world.newMember('customer');
    const body = { toUserId: (await world.one('educator')).id, amount: 1 };
    const { transaction } = (await client.call(transferKeys, { body })).data;
    return {
      params: { transactionId: transaction.transactionId },
      body: { reason: 'As ever', allowPartial: true },
    };
  },
  revokeApiKey: async (world) => ({ params: { id: (await world.platform.newKey('crm')).id } }),
  receivePaymentWebhook: async () => {
    const body = { type: 'customer.created', data: { object: {} } };
    const payload = JSON.stringify(body);
    const signature = webhooks.generateTestHeaderString({ payload, secret: PAYMENT_WEBHOOK_SECRET });
    return { body, headers: { 'stripe-signature': signature } };
  },
  cancelWithdrawal: ownWithdrawal,
  getCheckout: checkout,
  getOwnCheckout: async (world) => {
    const actor = await world.newMember('customer');
    const { checkoutSessionId } = (await actor.client.call(buyKeys, { body: { amount: 10 } })).data;
    return { actor, params: { checkoutSessionId } };
  },
  reconcileCheckout: async (world) => ({ ...(await checkout(world)), body: { reason: 'They have paid' } }),
  retryWithdrawal: async (world) => {
    const { transactionId } = await withdrawal(world);
    return { params: { transactionId }, body: { reason: 'It takes long' } };
  },
  getTransaction: ownWithdrawal,
  getTransactionAsAdmin: async (world) => {
    const { transactionId } = await withdrawal(world);
    return { params: { transactionId } };
  },
  settleWithdrawal: async (world) => {
    const { transactionId } = await withdrawal(world);
    const waiting = "select from merchant.payout where status in ('queued', 'submitting')";
    const isSubmitted = async (): Promise<boolean> =>
      (await world.platform.database.all(waiting)).length === 0;
    await until(isSubmitted, 'the payout at the provider');
    return { params: { transactionId }, body: { outcome: 'failed', reason: 'By hand' } };
  },
  getNotification: notified,
  readNotification: notified,
  deleteNotification: notified,
  registerDevice: async (world) => ({
    body: { token: `token-${(await world.one('member')).id}`, platform: 'ios' },
  }),
  unregisterDevice: async (world) => {
    const [actor, token] = [await world.one('member'), `token-${Math.random()}`];
    await actor.client.call(registerDevice, { body: { token, platform: 'ios' } });
    return { actor, body: { token } };
  },
  testPush: async (world) => {
    const actor = await world.newMember('stranger');
    await actor.client.call(registerDevice, { body: { token: `token-${actor.id}`, platform: 'ios' } });
    return { actor };
  },
};
