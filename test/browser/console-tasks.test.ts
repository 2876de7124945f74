// What operators and support do all day, from the search on in at most five clicks, with the effect seen over the API.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  createApiKey,
  createProduct,
  fundWalletAsAdmin,
  getAnnouncement,
  getBalance,
  getCourse,
  getErrorAsAdmin,
  getExportOfUser,
  getOverview,
  getOverviewOfUser,
  getTransactionAsAdmin,
  getUser,
  listAccessRequests,
  listApiKeys,
  listDeadJobs,
  listDeliveries,
  listReports,
  recordBackup,
  report,
  sendNotification,
  submitAccessRequest,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { job, jobKind } from '../../src/kernel/messaging/jobs.ts';
import { announce } from '../support/announcements.ts';
import { newRoom, say } from '../support/chatrooms.ts';
import { operate, type Step } from '../support/console-operator.ts';
import { browserOfFile, signedInPage } from '../support/console-pages.ts';
import { newCourse, newEducator } from '../support/courses.ts';
import { indicatorTools, QUICK } from '../support/indicators.ts';
import { LiveClient, until } from '../support/live.ts';
import { ADMIN, type Member, startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const QUEUE = 'test.fragile';
let isBroken = true;
const fragile = job(jobKind(QUEUE), {
  cron: '17 3 * * *',
  retries: 0,
  run: async () => {
    if (isBroken) throw new Error('the provider is away');
  },
});
const platform = await startPlatform({ ...QUICK, LOG_LEVEL: 'silent' }, [
  { name: 'test', service: undefined, jobs: [fragile] },
]);
const { admin, database, newMember, newMemberWith } = platform;
const { newIndicator, grant, tell, untilStatus } = indicatorTools(platform);
let page: Page;
let complaints: string[] = [];

before(async () => {
  if (!skip) ({ page, complaints } = await signedInPage(opened(), platform.url, ADMIN));
});

/** What is looked for, what is done then, what the page shows after it, and whether it has taken effect. */
interface Task {
  find: [text: string, hit: string | RegExp];
  steps?: Step[];
  shows: string | RegExp;
  isDone?: () => Promise<boolean>;
}

const balanceOf = async ({ client }: Member) => (await client.call(getBalance)).data.balance;
const overviewOf = async ({ id }: Member) =>
  (await admin.call(getOverviewOfUser, { params: { userId: id } })).data;
const byName = ({ email }: Member): [string, RegExp] => [email, new RegExp(email)];
const act = (name: string): Step[] => [{ press: 'More acts' }, { press: name }];
async function fund({ id }: Member, amount: number): Promise<string> {
  const body = { userId: id, amount, reason: 'A gift' };
  return (await admin.call(fundWalletAsAdmin, { body })).data.transaction.transactionId;
}
async function refusal(): Promise<string> {
  const { client, id } = await newMember();
  const { body } = await client.attempt(getUser, { params: { userId: id } });
  const errorId = 'errorId' in body ? String(body.errorId) : '';
  const isKept = async () => (await admin.attempt(getErrorAsAdmin, { params: { errorId } })).status === 200;
  await until(isKept, 'the error is stored');
  return errorId;
}

const TASKS: Record<string, () => Promise<Task>> = {
  'finds a member by e-mail': async () => {
    const ada = await newMember();
    return { find: byName(ada), shows: ada.email };
  },
  'finds a checkout by the id of its session': async () => {
    const { id } = await platform.checkout(await newMember(), 10);
    return { find: [id, 'checkout'], shows: 'Checkout of' };
  },
  'finds an error by its id': async () => ({ find: [await refusal(), 'error'], shows: 'FORBIDDEN' }),
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
  'retries a dead job': async () => {
    await platform.platform.runJob(QUEUE).catch(() => undefined);
    await database.execute(
      `insert into jobs.job (name, data, policy, retry_limit, dead_letter) values ($1, '{}', 'standard', 0, $1 || '.dead')`,
      [QUEUE],
    );
    const dead = async () => (await admin.call(listDeadJobs, { params: { queue: QUEUE } })).data.length;
    await until(async () => (await dead()) > 0, 'the job is dead');
    isBroken = false;
    return {
      find: ['jobs', /^Jobs Jobs and health|^Jobs/],
      steps: [{ open: QUEUE }, { press: 'Retry' }],
      shows: 'The job runs again',
      isDone: async () => (await dead()) === 0,
    };
  },
  'sees the failures of today in groups': async () => {
    await refusal();
    return { find: ['groups', 'Groups'], shows: 'FORBIDDEN' };
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
  'removes what was reported': async () => {
    const [ada, ben] = [await newMember(), await newMember()];
    const { id } = await say(ada, await newRoom(ada), 'Buy this!');
    await ben.client.call(report, { body: { kind: 'message', subjectId: id, reason: 'Spam' } });
    return {
      find: ['moderation', 'Moderation'],
      steps: [{ press: 'Remove' }, { confirm: 'Remove' }],
      shows: 'Removed the message.',
      isDone: async () => (await admin.call(listReports, { query: { status: 'open' } })).data.length === 0,
    };
  },
  'retries a failed grant': async () => {
    const [ada, scanner] = [await newMember(), await newIndicator()];
    await tell('fail');
    await grant(scanner, ada, 'ada_g');
    await untilStatus(ada, scanner, 'failed');
    await tell('ok');
    return {
      find: ['grants', 'Grants'],
      steps: [{ press: 'Retry', row: ada.email }],
      shows: /Indicator .* of .*: /,
      isDone: async () => (await overviewOf(ada)).grants[0]?.status === 'active',
    };
  },
  'approves several requests at once': async () => {
    const body = { name: 'A year', productType: 'misc' } as const;
    const { id: productId } = (await admin.call(createProduct, { body })).data;
    for (const { client, email } of [await newMember(), await newMember()])
      await client.call(submitAccessRequest, { body: { productId, fullName: 'Ada L', email } });
    const approved = async () =>
      (await admin.call(listAccessRequests, { query: { status: 'approved' } })).data;
    return {
      find: ['requests', 'Requests'],
      steps: [{ tick: 'Choose all rows of this page' }, { press: 'Approve 2' }, { confirm: 'Approve 2' }],
      shows: 'Approve: 2 of 2.',
      isDone: async () => (await approved()).length === 2,
    };
  },
  'gives a course another owner': async () => {
    const { course } = await newCourse(platform);
    const other = await newEducator(platform);
    const read = () => admin.call(getCourse, { params: { courseId: course.id } });
    return {
      find: [course.title, 'course'],
      steps: [...act('Change owner'), { fill: 'New owner', with: other.id }, { confirm: 'Change owner' }],
      shows: `${course.title} belongs to`,
      isDone: async () => (await read()).data.instructor.id === other.id,
    };
  },
  'takes down the announcement of another': async () => {
    const ada = await newEducator(platform);
    const { id: announcementId, title } = await announce(ada);
    const read = () => admin.attempt(getAnnouncement, { params: { announcementId } });
    return {
      find: ['educators', 'Educators'],
      steps: [{ follow: `/educators/${ada.id}` }, { press: 'Delete' }, { confirm: 'Delete announcement' }],
      shows: `Deleted ${title}.`,
      isDone: async () => (await read()).status === 404,
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
  'replaces an API key': async () => {
    await admin.call(createApiKey, { body: { name: 'The old client', tier: 'crm' } });
    const named = async () =>
      (await admin.call(listApiKeys)).data.filter(({ name }) => name === 'The old client');
    return {
      find: ['keys', 'API keys'],
      steps: [{ press: 'Roll', row: 'The old client' }, { confirm: 'Roll key' }],
      shows: /The new key of The old client is pk_/,
      isDone: async () => (await named()).length === 2,
    };
  },
  'sees who did what': async () => {
    await admin.call(createApiKey, { body: { name: 'A client in the log', tier: 'crm' } });
    return { find: ['audit', 'Audit log'], shows: 'A client in the log' };
  },
  'sees who is connected': async () => {
    const ada = await newMember();
    await LiveClient.open(platform.url, ada.accessToken);
    return { find: ['live', /^Live$/], shows: ada.email };
  },
  'sends a test notification': async () => {
    const sent = async () => (await admin.call(listDeliveries, { query: { userId: platform.adminId } })).data;
    return {
      find: ['send', 'Send'],
      steps: [{ press: 'Send a test' }, { confirm: 'Send test' }],
      shows: 'Sent.',
      isDone: async () => (await sent()).length > 0,
    };
  },
  'erases a member': async () => {
    const ada = await newMember();
    const read = () => admin.attempt(getOverviewOfUser, { params: { userId: ada.id } });
    return {
      find: byName(ada),
      steps: [...act('Erase'), { fill: `Type “${ada.email}”`, with: ada.email }, { confirm: 'Erase member' }],
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
      isDone: async () => {
        const link = await page.getByRole('link', { name: 'Download the ZIP' }).getAttribute('href');
        const isOwn = link?.includes(`/exports/${ada.id}/`) === true;
        return isOwn && (await fetch(link)).ok && (await newest()).status === 200;
      },
    };
  },
  'proves the ledger': async () => ({
    find: ['ledger', 'Ledger'],
    steps: [{ press: 'Prove the ledger now' }],
    shows: 'The ledger is sound.',
    isDone: async () => (await admin.call(getOverview)).data.ledger?.sound === true,
  }),
  'sees the newest backup': async () => {
    const at = new Date(platform.clock.now()).toISOString();
    await admin.call(recordBackup, { body: { at, head: '9f86d081', place: 's3://backups/1' } });
    return { find: ['health', 'Health'], shows: 's3://backups/1' };
  },
};

for (const [name, prepare] of Object.entries(TASKS))
  test(`an operator ${name} in at most five clicks from the search`, { skip }, async () => {
    const task = await prepare();
    await page.goto(`${platform.url}/console/platforms`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const clicks = await operate(page, task);
    assert.ok(clicks <= 5, `${clicks} clicks`);
    await page.locator('main').getByText(task.shows).first().waitFor();
    if (task.isDone) await until(task.isDone, name);
    assert.deepEqual(complaints, []);
  });
