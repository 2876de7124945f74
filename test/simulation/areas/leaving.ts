import assert from 'node:assert/strict';
import {
  createWallet,
  deleteUser,
  getProfile,
  search,
  sendNotification,
  signIn,
  signUp,
  updateProfile,
} from '../../../sdk/src/index.ts';
import { PASSWORD } from '../../support/client.ts';
import type { Area, Doing } from '../area.ts';
import { type Actor, expectStatus, type Stage, Violation } from '../stage.ts';

// Who leaves is gone: nothing that the installation keeps names them.

export const leavingKinds = {
  'leaving.come': 3,
  'leaving.write': 3,
  'leaving.go': 2,
};

interface Newcomer {
  actor: Actor;
  /** The name that nobody else has, which is in all that they write. */
  name: string;
  isGone: boolean;
  /** Whether a request of theirs is under way: what they send after they were deleted names them again. */
  isBusy: boolean;
}

export function leavingArea(stage: Stage): Area<typeof leavingKinds> {
  const { admin, database, people } = stage;
  const newcomers: Newcomer[] = [];
  const some = ({ pick: [which] }: Doing): Newcomer | undefined => {
    const here = newcomers.filter(({ isGone, isBusy }) => !isGone && !isBusy);
    return here[which % Math.max(here.length, 1)];
  };

  /** Returns the rows that contain a word, each as its table and its text. */
  async function rowsWith(word: string): Promise<string[]> {
    const tables = await database.all<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await database.all<{ text: string }>(
        `select row::text as text from ${name} as row where row::text ilike $1 limit 3`,
        [`%${word}%`],
      );
      found.push(...rows.map(({ text }) => `${name}: ${text}`));
    }
    return found;
  }

  return {
    commands: {
      'leaving.come': async () => {
        const name = `Vanishing${stage.unique()}x`;
        const credentials = { email: `${name}@example.com`, password: PASSWORD, platform: 'web' as const };
        const body = { ...credentials, firstName: name, lastName: name };
        const answer = await stage.insist(admin, (client) =>
          client.with({ authorization: undefined }).attempt(signUp, { body }),
        );
        expectStatus(stage, `${name} signs up`, answer, 201, 409);
        const actor = stage.arrive({ name, credentials });
        const { data } = await stage.insist(actor, (client) => client.attempt(getProfile));
        if (!data) throw new Violation(`${name} cannot sign in`);
        actor.id = data.id;
        newcomers.push({ actor, name, isGone: false, isBusy: false });
      },
      'leaving.write': async (doing) => {
        const one = some(doing);
        if (!one) return;
        const { actor, name } = one;
        one.isBusy = true;
        const body = { bio: `I am ${name}` };
        const saved = await stage.insist(actor, (client) => client.attempt(updateProfile, { body }));
        expectStatus(stage, `${name} writes a profile`, saved, 200, 401, 403, 404);
        await stage.insist(actor, (client) => client.attempt(search, { query: { q: name } }));
        await stage.insist(actor, (client) => client.attempt(createWallet));
        const notice = {
          userId: (people[0] as Actor).id,
          type: 'alert' as const,
          title: `${name} is here`,
          message: `Say hello to ${name}.`,
          metadata: { userId: actor.id },
        };
        const told = await stage.insist(admin, (client) =>
          client.attempt(sendNotification, { body: notice }),
        );
        expectStatus(stage, `somebody is told of ${name}`, told, 200, 201);
        one.isBusy = false;
      },
      'leaving.go': async (doing) => {
        const one = some(doing);
        if (!one) return;
        one.isGone = true;
        const params = { userId: one.actor.id };
        const answer = await stage.insist(admin, (client) => client.attempt(deleteUser, { params }));
        expectStatus(stage, `${one.name} is deleted`, answer, 200, 404);
      },
    },
    judge: async () => {
      // Before anything names them again.
      for (const { name, isGone } of newcomers)
        if (isGone) assert.deepEqual(await rowsWith(name), [], `what is left of ${name}`);
      for (const { actor, name, isGone } of newcomers) {
        const body = actor.credentials;
        const { status } = await stage.insist(admin, (client) =>
          client.with({ authorization: undefined }).attempt(signIn, { body }),
        );
        assert.equal(status, isGone ? 401 : 200, `whether ${name} can sign in`);
      }
    },
  };
}
