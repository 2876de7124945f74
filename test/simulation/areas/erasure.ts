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
import type { Area, Execution } from '../area.ts';
import { type Actor, expectStatus, type Stage, Violation } from '../stage.ts';

// After a person is deleted, no table of the installation contains their name.

export const erasureKinds = {
  'erasure.sign-up': 3,
  'erasure.write': 3,
  'erasure.delete': 2,
};

interface Newcomer {
  actor: Actor;
  /** A unique name, which is part of every text about them. */
  name: string;
  isDeleted: boolean;
  /** Whether they are writing: a request after their deletion would store the name again. */
  isBusy: boolean;
}

export function erasureArea(stage: Stage): Area<typeof erasureKinds> {
  const { admin, database, people } = stage;
  const newcomers: Newcomer[] = [];
  const presentNewcomer = ({ pick: [which] }: Execution): Newcomer | undefined => {
    const present = newcomers.filter(({ isDeleted: isGone, isBusy }) => !isGone && !isBusy);
    return present[which % Math.max(present.length, 1)];
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
      'erasure.sign-up': async () => {
        const name = `Vanishing${stage.unique()}x`;
        const credentials = { email: `${name}@example.com`, password: PASSWORD, platform: 'web' as const };
        const body = { ...credentials, firstName: name, lastName: name };
        const answer = await stage.retryUntilCertain(admin, (client) =>
          client.with({ authorization: undefined }).attempt(signUp, { body }),
        );
        expectStatus(stage, `${name} signs up`, answer, 201, 409);
        const actor = stage.addPerson({ name, credentials });
        const { data } = await stage.retryUntilCertain(actor, (client) => client.attempt(getProfile));
        if (!data) throw new Violation(`${name} cannot sign in`);
        actor.id = data.id;
        newcomers.push({ actor, name, isDeleted: false, isBusy: false });
      },
      'erasure.write': async (execution) => {
        const one = presentNewcomer(execution);
        if (!one) return;
        const { actor, name } = one;
        one.isBusy = true;
        const body = { bio: `I am ${name}` };
        const saved = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(updateProfile, { body }),
        );
        expectStatus(stage, `${name} writes a profile`, saved, 200, 401, 403, 404);
        await stage.retryUntilCertain(actor, (client) => client.attempt(search, { query: { q: name } }));
        await stage.retryUntilCertain(actor, (client) => client.attempt(createWallet));
        const notice = {
          userId: (people[0] as Actor).id,
          type: 'alert' as const,
          title: `${name} is here`,
          message: `Say hello to ${name}.`,
          metadata: { userId: actor.id },
        };
        const sent = await stage.retryUntilCertain(admin, (client) =>
          client.attempt(sendNotification, { body: notice }),
        );
        expectStatus(stage, `somebody is notified about ${name}`, sent, 200, 201);
        one.isBusy = false;
      },
      'erasure.delete': async (execution) => {
        const one = presentNewcomer(execution);
        if (!one) return;
        one.isDeleted = true;
        const params = { userId: one.actor.id };
        const answer = await stage.retryUntilCertain(admin, (client) =>
          client.attempt(deleteUser, { params }),
        );
        expectStatus(stage, `${one.name} is deleted`, answer, 200, 404);
      },
    },
    judge: async () => {
      // Before the attempts to sign in below, which store the address.
      for (const { name, isDeleted: isGone } of newcomers)
        if (isGone) assert.deepEqual(await rowsWith(name), [], `rows that still contain ${name}`);
      for (const { actor, name, isDeleted: isGone } of newcomers) {
        const body = actor.credentials;
        const { status } = await stage.retryUntilCertain(admin, (client) =>
          client.with({ authorization: undefined }).attempt(signIn, { body }),
        );
        assert.equal(status, isGone ? 401 : 200, `whether ${name} can sign in`);
      }
    },
  };
}
