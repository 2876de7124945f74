import { fullName } from '../../kernel/text/full-name.ts';
import { changes, EVERYBODY, type Searchable } from '../search/contract.ts';
import { userChanged, userDeleted, userSignedUp } from './contract.ts';
import type { UserStore } from './users/users.store.ts';

/** Makes active members searchable by name and username, never by e-mail. */
export const identitySearchable = (store: Pick<UserStore, 'listedOf' | 'idsAfter'>): Searchable[] => [
  {
    type: 'user',
    plural: 'people',
    path: '/users',
    prominence: 3,
    forgetsWords: true,
    changes: [
      changes(userSignedUp, ({ userId }) => [userId]),
      changes(userChanged, ({ userId }) => [userId]),
      changes(userDeleted, ({ userId }) => [userId]),
    ],
    read: async (ids, queries) =>
      (await store.listedOf(ids, queries)).map(({ id, firstName, lastName, username, createdAt }) => ({
        id,
        title: fullName({ firstName, lastName }),
        body: username,
        audiences: [EVERYBODY],
        hasName: true,
        popularity: 0,
        createdAt,
      })),
    idsAfter: store.idsAfter,
  },
];
