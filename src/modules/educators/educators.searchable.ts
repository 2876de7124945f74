import { fullName } from '../../kernel/text/full-name.ts';
import { changes, EVERYBODY, type Searchable } from '../search/contract.ts';
import type { AnnouncementStore } from './announcements/announcements.store.ts';
import { announcementChanged, announcementPublished, educatorChanged } from './contract.ts';
import type { EducatorStore } from './educators.store.ts';

interface Stores {
  educators: Pick<EducatorStore, 'findAll' | 'idsAfter'>;
  announcements: Pick<AnnouncementStore, 'findAll' | 'idsAfter' | 'idsOf'>;
}

/** Makes visible educators and their announcements searchable. */
export const educatorSearchable = ({ educators, announcements }: Stores): Searchable[] => [
  {
    type: 'educator',
    plural: 'educators',
    path: '/educators',
    prominence: 8,
    forgetsWords: true,
    changes: [changes(educatorChanged, ({ educatorId }) => [educatorId])],
    read: async (ids, queries) =>
      (await educators.findAll(ids, queries))
        .filter(({ isEducator, isActive }) => isEducator && isActive)
        .map(({ id, firstName, lastName, username, profile, followers, createdAt }) => ({
          id,
          title: fullName({ firstName, lastName }),
          body: [username, profile.educator_title, profile.specialty, profile.educator_bio]
            .filter((text) => typeof text === 'string')
            .join('\n'),
          audiences: [EVERYBODY],
          hasName: true,
          popularity: followers,
          createdAt,
        })),
    idsAfter: educators.idsAfter,
  },
  {
    type: 'announcement',
    plural: 'announcements',
    path: '/announcements',
    prominence: 2,
    forgetsWords: false,
    changes: [
      changes(announcementPublished, ({ announcementId }) => [announcementId]),
      changes(announcementChanged, ({ announcementId }) => [announcementId]),
      // Announcements of an educator who becomes visible again follow in the background: see `announcement-visibility.ts`.
      changes(educatorChanged, ({ educatorId, isHidden }, queries) =>
        isHidden ? announcements.idsOf(educatorId, queries) : [],
      ),
    ],
    read: async (ids, queries) =>
      (await announcements.findAll(ids, queries)).map(
        ({ id, title, content, category, tags, likes, comments, createdAt }) => ({
          id,
          title,
          body: [content, category, ...tags].join('\n'),
          audiences: [EVERYBODY],
          hasName: false,
          popularity: likes + comments,
          createdAt,
        }),
      ),
    idsAfter: announcements.idsAfter,
  },
];
