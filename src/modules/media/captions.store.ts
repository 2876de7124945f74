import type { Database } from '../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Captions of a video in one language, as WebVTT. */
interface Caption {
  language: string;
  text: string;
}

const put = statement<never>(
  'media.put-caption',
  `insert into media.caption (subject_id, language, text) values ($1, $2, $3)
   on conflict (subject_id, language) do update set text = excluded.text where caption.text <> excluded.text`,
);
const remove = statement<never>(
  'media.remove-caption',
  'delete from media.caption where subject_id = $1 and language = $2',
);
const languagesOfSubjects = statement<{ subjectId: ObjectId; language: string }>(
  'media.caption-languages-of-subjects',
  'select subject_id as "subjectId", language from media.caption where subject_id = any($1) order by language',
);
const textOf = statement<{ text: string }>(
  'media.caption-text',
  'select text from media.caption where subject_id = $1 and language = $2',
);
const bytesOf = statement<{ bytes: number }>(
  'media.caption-bytes',
  'select coalesce(sum(octet_length(text)), 0) as bytes from media.caption where subject_id = $1',
);
const languagesOf = statement<{ language: string }>(
  'media.caption-languages-of-video',
  `select c.language from media.caption c join media.video v using (subject_id) where v.id = $1 order by c.language`,
);
const ofVideo = statement<{ text: string; durationMs: number }>(
  'media.caption-of-video',
  `select c.text, v.duration_ms from media.caption c join media.video v using (subject_id)
   where v.id = $1 and c.language = $2 and v.status = 'complete'`,
);
const erase = statement<never>(
  'media.erase-captions',
  'delete from media.caption where subject_id = any($1)',
);

export function captionStore(database: Database) {
  return {
    /** Returns whether that changes anything. */
    put: async (tx: Transaction, subjectId: ObjectId, { language, text }: Caption): Promise<boolean> =>
      (await tx.execute(put, [subjectId, language, text])) > 0,
    remove: async (tx: Transaction, subjectId: ObjectId, language: string) =>
      (await tx.execute(remove, [subjectId, language])) > 0,
    /** Returns the caption languages of each of these subjects that has captions. */
    async languages(subjectIds: ObjectId[], queries: Queries = database): Promise<Map<ObjectId, string[]>> {
      const rows = await queries.all(languagesOfSubjects, [subjectIds]);
      const bySubject = Map.groupBy(rows, ({ subjectId }) => subjectId);
      return new Map([...bySubject].map(([id, all]) => [id, all.map(({ language }) => language)]));
    },
    text: async (subjectId: ObjectId, language: string): Promise<string | undefined> =>
      (await database.first(textOf, [subjectId, language]))?.text,
    /** Returns the size of all captions of a subject. */
    bytes: (tx: Transaction, subjectId: ObjectId): Promise<number> => tx.count(bytesOf, [subjectId]),
    languagesOfVideo: async (videoId: ObjectId) =>
      (await database.all(languagesOf, [videoId])).map(({ language }) => language),
    ofVideo: (videoId: ObjectId, language: string) => database.first(ofVideo, [videoId, language]),
    erase: (tx: Transaction, subjectIds: ObjectId[]) => tx.execute(erase, [subjectIds]),
  };
}

export type CaptionStore = ReturnType<typeof captionStore>;
