import assert from 'node:assert/strict';
import { after } from 'node:test';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { idMaker } from '../../src/kernel/ids.ts';
import { startJobs } from '../../src/kernel/messaging/job-queue.ts';
import { eventBackbone } from '../../src/kernel/messaging/outbox.ts';
import { messageCheck } from '../../src/kernel/operations/message-check.ts';
import { systemClock } from '../../src/kernel/time/time.ts';
import { newDatabase } from './databases.ts';

/** Starts the job queue on a database of its own, with a table to which the tests' jobs write marks. */
export async function startJobQueue() {
  const { url, drop } = await newDatabase();
  const database = openDatabase({ url, connections: 5, onBackgroundError: () => undefined });
  await database.execute('create table test_mark (id serial, what text)');
  const check = messageCheck();
  const jobs = await startJobs({ database, url, onError: () => undefined, check });
  after(async () => {
    await jobs.stop();
    await database.close();
    await drop();
  });
  /** The marks that jobs have written, in order. */
  const marks = async (): Promise<string[]> =>
    (await database.all<{ what: string }>('select what from test_mark order by id')).map(({ what }) => what);
  /** Returns a backbone of events that does not relay yet; its errors fail the test unless they are received. */
  const newBackbone = (onError: (error: Error) => void = (error) => assert.fail(error)) =>
    eventBackbone({ database, clock: systemClock, newId: idMaker(systemClock), jobs, onError, check });
  return { url, database, jobs, marks, newBackbone };
}
