import {
  assignPermissions,
  createChatroom,
  createCommunity,
  createCourse,
  createCourseModule,
  createIndicator,
  createLesson,
  createProduct,
  createWallet,
  enrollInCourse,
  fundWalletAsAdmin,
  joinChatroom,
  joinCommunity,
  setExchangeRate,
  signIn,
  signUp,
  submitAccessRequest,
  updateCourse,
  updateUser,
} from '../../sdk/src/index.ts';
import { Client, PASSWORD } from '../support/client.ts';

import { ADMIN, startInstallation } from './installation.ts';
import { handleOf, PEOPLE, PRICES, RATE, START_KEYS } from './people.ts';

/** The records that exist when a history begins, the same in all histories. */
export interface World {
  /** The database of which each history gets a copy. */
  template: string;
  key: string;
  people: Person[];
  indicators: { id: string; pineId: string }[];
  /** Chat rooms. Their creators are the last two people, who are educators. */
  rooms: string[];
  /** Everybody is a member of it. */
  community: string;
  /** Everybody is enrolled in the free ones. */
  courses: TaughtCourse[];
}

interface TaughtCourse {
  id: string;
  /** The number of the person who owns the course and gets its price. */
  owner: number;
  lessons: string[];
  price: number;
}

interface Person {
  id: string;
  email: string;
  customerId: string;
  /** The ids of their access requests, by indicator. */
  requests: string[];
}

const SETUP = { actor: 'simulation' };

/** Creates the world in a migrated database; each history gets a copy of it. */
export async function makeWorld(databaseUrl: string): Promise<World> {
  const installation = await startInstallation(databaseUrl);
  const platform = await installation.platform();
  await platform.identity.ensureAdministrator({ ...ADMIN, firstName: 'First', lastName: 'Administrator' });
  const { key } = await platform.keys.create({ name: 'simulation', tier: 'admin' }, SETUP);
  const guest = new Client(installation.url, { 'x-api-key': key });
  const { data } = await guest.call(signIn, { body: { ...ADMIN, platform: 'backoffice' } });
  const admin = guest.as(data.accessToken);
  await admin.call(setExchangeRate, { body: { rate: RATE } });
  const indicators = await inTurn([0, 1], async (number) => {
    const body = { name: `Indicator ${number}`, pineId: `PUB;${number}` };
    return { id: (await admin.call(createIndicator, { body })).data.id, pineId: body.pineId };
  });
  const products = await inTurn(indicators, async ({ id: scannerId }) => {
    const body = { name: 'Product', productType: 'scanner' as const, scannerId };
    return (await admin.call(createProduct, { body })).data.id;
  });
  const joined = await inTurn([...Array(PEOPLE).keys()], (number) => join(guest, admin, number));
  for (const { person } of joined.slice(-2))
    await admin.call(assignPermissions, {
      params: { userId: person.id },
      body: { permissions: ['educator'] },
    });
  const creators = joined.slice(-2).map(({ client }) => client);
  const rooms = await inTurn(creators, async (creator) => {
    const body = { name: 'Gold', type: 'public' as const };
    return (await creator.call(createChatroom, { body })).data.id;
  });
  const founded = await (creators.at(-1) as Client).call(createCommunity, { body: { name: 'Beginners' } });
  const communityId = founded.data.id;
  const courses = await inTurn([...PRICES.keys()], (place) => teach(creators[place] as Client, place));
  for (const [number, { client, person }] of joined.entries()) {
    await client.call(joinCommunity, { params: { communityId } });
    for (const { id, price } of courses)
      if (price === 0) await client.call(enrollInCourse, { params: { courseId: id } });
    for (const productId of products) {
      const body = { productId, fullName: 'A', email: person.email, chartingId: handleOf(number, 0) };
      person.requests.push((await client.call(submitAccessRequest, { body })).data.id);
    }
    for (const chatroomId of rooms) await client.attempt(joinChatroom, { params: { chatroomId } });
  }
  await installation.close();
  const template = new URL(databaseUrl).pathname.slice(1);
  const people = joined.map(({ person }) => person);
  return { template, key, people, indicators, rooms, community: communityId, courses };
}

/** Publishes a course with two lessons. */
async function teach(owner: Client, place: number): Promise<TaughtCourse> {
  const price = PRICES[place] as number;
  const course = { title: `Course ${place}`, description: 'All of it.', price };
  const { id } = (await owner.call(createCourse, { body: course })).data;
  const params = { courseId: id };
  const module = (await owner.call(createCourseModule, { params, body: { title: 'Module' } })).data;
  const lessons = await inTurn([0, 1], async (number) => {
    const lesson = { moduleId: module.id, title: `Lesson ${number}`, duration: 60 };
    return (await owner.call(createLesson, { body: { ...lesson, status: 'published' } })).data.id;
  });
  await owner.call(updateCourse, { params, body: { status: 'published' } });
  return { id, owner: PEOPLE - PRICES.length + place, lessons, price };
}

async function join(guest: Client, admin: Client, number: number) {
  const email = `person${number}@example.com`;
  const body = {
    email,
    password: PASSWORD,
    firstName: 'Person',
    lastName: `${number}`,
    platform: 'web' as const,
  };
  const { data } = await guest.call(signUp, { body });
  const client = guest.as(data.accessToken);
  const { id } = data.user;
  const customerId = `C-${number}`;
  await admin.call(updateUser, { params: { userId: id }, body: { customerId } });
  await client.call(createWallet);
  await admin.call(fundWalletAsAdmin, { body: { userId: id, amount: START_KEYS } });
  const person: Person = { id, email, customerId, requests: [] };
  return { client, person };
}

async function inTurn<Input, Output>(
  inputs: Input[],
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const done: Output[] = [];
  for (const input of inputs) done.push(await work(input));
  return done;
}
