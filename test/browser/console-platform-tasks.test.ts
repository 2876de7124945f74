// Operators' tasks with worklists, content and the platform take at most five clicks from the search. The API shows
// their effects.
import {
  createApiKey,
  createProduct,
  getAnnouncement,
  getCourse,
  getErrorAsAdmin,
  getOverview,
  getOverviewOfUser,
  getUser,
  listAccessRequests,
  listApiKeys,
  listDeadJobs,
  listDeliveries,
  listReports,
  recordBackup,
  report,
  submitAccessRequest,
} from '../../sdk/src/index.ts';
import { job, jobKind } from '../../src/kernel/messaging/jobs.ts';
import { announce } from '../support/announcements.ts';
import { newRoom, say } from '../support/chatrooms.ts';
import { browserOfFile } from '../support/console-pages.ts';
import { act, testTasks } from '../support/console-tasks.ts';
import { newCourse, newEducator } from '../support/courses.ts';
import { ANSWERED, indicatorTools } from '../support/indicators.ts';
import { LiveClient, until } from '../support/live.ts';
import { type Member, startPlatform } from '../support/platform.ts';

const QUEUE = 'test.fragile';
let isBroken = true;
const fragile = job(jobKind(QUEUE), {
  cron: '17 3 * * *',
  retries: 0,
  run: async () => {
    if (isBroken) throw new Error('the provider is away');
  },
});
const browser = browserOfFile();
const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' }, [
  { name: 'test', service: undefined, jobs: [fragile] },
]);
const { admin, database, newMember } = platform;
const { newIndicator, grant, tell, untilStatus } = indicatorTools(platform);

const overviewOf = async ({ id }: Member) =>
  (await admin.call(getOverviewOfUser, { params: { userId: id } })).data;
async function refusal(): Promise<string> {
  const { client, id } = await newMember();
  const { body } = await client.attempt(getUser, { params: { userId: id } });
  const errorId = 'errorId' in body ? String(body.errorId) : '';
  const isKept = async () => (await admin.attempt(getErrorAsAdmin, { params: { errorId } })).status === 200;
  await until(isKept, 'the error is stored');
  return errorId;
}

testTasks(browser, platform.url, {
  'finds an error by its id': async () => ({ find: [await refusal(), 'error'], shows: 'FORBIDDEN' }),
  'assigns an error a severity': async () => {
    const errorId = await refusal();
    return {
      find: [errorId, 'error'],
      steps: [
        { press: 'Assign severity' },
        { choose: 'Severity', option: 'high' },
        { fill: 'Reason', with: 'many members are affected' },
        { confirm: 'Assign' },
      ],
      shows: 'is high',
      isDone: async () =>
        (await admin.call(getErrorAsAdmin, { params: { errorId } })).data.severity === 'high',
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
      steps: [...act('Change owner'), { fill: 'New owner', with: other.email }, { confirm: 'Change owner' }],
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
});
