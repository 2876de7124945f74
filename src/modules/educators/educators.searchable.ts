import { userChanged } from '../identity/contract.ts';
import { changes, EVERYBODY, type Searchable } from '../search/contract.ts';
import type { EducatorStore } from './educators.store.ts';

/**
 * Educators whom members may see. The same event updates their copy before this reads it, since hubs subscribe after
 * the modules themselves.
 */
export const educatorSearchable = (store: Pick<EducatorStore, 'findAll' | 'idsAfter'>): Searchable[] => [
  {
    type: 'educator',
    changes: [changes(userChanged, ({ userId }) => [userId])],
    read: async (ids, queries) =>
      (await store.findAll(ids, queries))
        .filter(({ isEducator, isActive }) => isEducator && isActive)
        .map(({ id, firstName, lastName, username, profile, followers, createdAt }) => ({
          id,
          title: `${firstName} ${lastName}`.trim(),
          body: [username, profile.educator_title, profile.specialty, profile.educator_bio]
            .filter((text) => typeof text === 'string')
            .join('\n'),
          audiences: [EVERYBODY],
          hasName: true,
          popularity: followers,
          createdAt,
        })),
    idsAfter: store.idsAfter,
  },
];
