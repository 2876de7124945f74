// Support's tasks with members and their Keys take at most five clicks from the search. The API shows their effects.
import {
  fundWalletAsAdmin,
  getBalance,
  getExportOfUser,
  getOverviewOfUser,
  getTransactionAsAdmin,
  listAlerts,
  sendNotification,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { browserOfFile } from '../support/console-pages.ts';
import { act, byName, testTasks } from '../support/console-tasks.ts';
import { newLeaver } from '../support/leavers.ts';
import { type Member, startPlatform } from '../support/platform.ts';

const browser = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, newMember, newMemberWith } = platform;

const balanceOf = async ({ client }: Member) => (await client.call(getBalance)).data.balance;
const overviewOf = async ({ id }: Member) =>
  (await admin.call(getOverviewOfUser, { params: { userId: id } })).data;
async function fund({ id }: Member, amount: number): Promise<string> {
  const body = { userId: id, amount, reason: 'A gift' };
  return (await admin.call(fundWalletAsAdmin, { body })).data.transaction.transactionId;
}

testTasks(browser, platform.url, {
  'finds a member by e-mail': async () => {
    const ada = await newMember();
    return { find: byName(ada), shows: ada.email };
  },
  'finds a checkout by the id of its session': async () => {
    const { id } = await platform.checkout(await newMember(), 10);
    return { find: [id, 'checkout'], shows: 'Checkout of' };
  },
  'finds a transaction by its id': async () => {
    const id = await fund(await newMemberWith(0), 20);
    return { find: [id, 'transaction'], shows: 'of 20 Keys' };
  },
  'sees why a member cannot sign in to the app': async () => {
    const ada = await newMember();
    return { find: byName(ada), shows: 'Never bought a purchase that opens it.' };
  },
  'reads the wallet and its history': async () => {
    const ada = await newMemberWith(0);
    await fund(ada, 35);
    return { find: byName(ada), steps: [{ open: 'Statement' }], shows: '+35' };
  },
  'funds a wallet': async () => {
    const ada = await newMemberWith(0);
    return {
      find: [ada.email, 'Fund'],
      steps: [{ fill: 'Keys', with: '25' }, { confirm: 'Fund' }],
      shows: 'Funded 25 Keys.',
      isDone: async () => (await balanceOf(ada)) === 25,
    };
  },
  'takes Keys back': async () => {
    const ada = await newMemberWith(30);
    return {
      find: byName(ada),
      steps: [...act('Debit'), { fill: 'Keys', with: '10' }, { confirm: 'Take Keys' }],
      shows: 'Took 10 Keys.',
      isDone: async () => (await balanceOf(ada)) === 20,
    };
  },
  'reverses a transaction': async () => {
    const ada = await newMemberWith(0);
    const id = await fund(ada, 20);
    return {
      find: [id, 'transaction'],
      steps: [{ press: 'Reverse' }, { confirm: 'Reverse 20 Keys' }],
      shows: 'Reversed by',
      isDone: async () => (await balanceOf(ada)) === 0,
    };
  },
  'locks a wallet': async () => {
    const ada = await newMemberWith(5);
    return {
      find: byName(ada),
      steps: [...act('Lock wallet'), { confirm: 'Lock wallet' }],
      shows: 'The wallet is locked.',
      isDone: async () => (await overviewOf(ada)).wallet?.locked === true,
    };
  },
  'pays out the Keys of a deleted member again': async () => {
    const userId = await newLeaver(platform, 500);
    const open = async () =>
      (await admin.call(listAlerts, { query: { status: 'open', target: userId } })).data;
    return {
      find: ['alerts', 'Alerts'],
      steps: [{ press: 'Pay out', row: '500 Keys' }, { confirm: 'Pay out' }],
      shows: /The payout of 500 Keys is requested/,
      isDone: async () => (await open()).length === 0,
    };
  },
  'settles a stuck withdrawal': async () => {
    const ada = await newMemberWith(100);
    const { data } = await ada.client.call(withdrawKeys, { body: { amount: 40 } });
    const { transactionId } = data.transaction;
    const read = () => admin.call(getTransactionAsAdmin, { params: { transactionId } });
    return {
      find: [transactionId, 'withdrawal'],
      steps: [{ press: 'Settle' }, { tick: /It failed/ }, { confirm: 'Settle 40 Keys' }],
      shows: 'The withdrawal of 40 Keys is failed.',
      isDone: async () => (await read()).data.status === 'failed' && (await balanceOf(ada)) === 100,
    };
  },
  'mutes a member everywhere': async () => {
    const ada = await newMember();
    return {
      find: [ada.email, 'Mute'],
      steps: [{ confirm: 'Mute' }],
      shows: 'Muted everywhere.',
      isDone: async () => (await overviewOf(ada)).mute !== null,
    };
  },
  'sees what a member was notified of': async () => {
    const ada = await newMember();
    const body = { userId: ada.id, type: 'alert', title: 'Gold moves', message: 'Now.' } as const;
    await admin.call(sendNotification, { body });
    return { find: byName(ada), steps: [{ open: 'Notifications' }], shows: 'Gold moves' };
  },
  'ends one session': async () => {
    const ada = await newMember();
    return {
      find: byName(ada),
      steps: [{ open: /^Sessions/ }, { press: 'End' }, { confirm: 'End session' }],
      shows: 'has ended.',
      isDone: async () => (await overviewOf(ada)).sessions.length === 0,
    };
  },
  'erases a member': async () => {
    const ada = await newMemberWith(10);
    const read = () => admin.attempt(getOverviewOfUser, { params: { userId: ada.id } });
    return {
      find: [ada.email, 'Erase'],
      steps: [
        { tick: 'are taken out of circulation' },
        { fill: `Type “${ada.email}”`, with: ada.email },
        { confirm: 'Erase member' },
      ],
      shows: 'Erased ',
      isDone: async () => (await read()).status === 404,
    };
  },
  "exports a member's data": async () => {
    const ada = await newMember();
    const newest = () => admin.attempt(getExportOfUser, { params: { userId: ada.id } });
    return {
      find: byName(ada),
      steps: [{ open: 'Export' }, { press: 'Begin export' }, { confirm: 'Begin export' }],
      shows: 'Download the ZIP',
      isDone: async (page) => {
        const link = await page.getByRole('link', { name: 'Download the ZIP' }).getAttribute('href');
        const isOwn = link?.includes(`/exports/${ada.id}/`) === true;
        return isOwn && (await fetch(link)).ok && (await newest()).status === 200;
      },
    };
  },
});
