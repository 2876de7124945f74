import type { MadePart, StoredPart } from '../../external/transcoder/port.ts';
import { readBacklog } from '../../kernel/database/backlog.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { PlayableVideo, TroubledRow, Video } from './videos.model.ts';

const VIDEO = `id, subject_id, owner_id, source_key, source_etag, source_bytes, status, progress, attempt, spent,
  error_code, error_message`;

/** A worker without a heartbeat for this long is considered dead. */
const SILENT = "interval '15 seconds'";

/**
 * The newest videos of subjects that failed, unless somebody cancelled them, and those processed since before `$1`. `status <> 'complete'` lets
 * video_unfinished serve it.
 */
const TROUBLED = `v.status <> 'complete' and v.error_code is distinct from 'CANCELLED' and case when v.status = 'processing' then v.created_at < $1
  else not exists (select from media.video later where later.subject_id = v.subject_id and later.number > v.number) end`;

const insert = statement<never>(
  'media.insert-video',
  `insert into media.video (id, subject_id, owner_id, source_key, source_etag, source_bytes, status, created_at)
   values ($1, $2, $3, $4, $5, $6, 'processing', $7)`,
);
const current = statement<Video & PlayableVideo & { plays: boolean }>(
  'media.current-videos',
  `select ${VIDEO}, duration_ms, renditions, poster, status = 'complete' and replaced_at is null as plays
   from media.video
   where subject_id = $1 and ((status = 'complete' and replaced_at is null)
     or number = (select max(number) from media.video where subject_id = $1))
   order by number desc`,
);
const playable = statement<PlayableVideo>(
  'media.playable-videos',
  `select id, subject_id, attempt, duration_ms, renditions, poster from media.video
   where subject_id = any($1) and status = 'complete' and replaced_at is null`,
);
const newestStatuses = statement<Pick<Video, 'subjectId' | 'status'>>(
  'media.newest-video-statuses',
  `select newest.subject_id, newest.status
   from unnest($1::text[]) as wanted (subject_id)
   cross join lateral (
     select subject_id, status from media.video v where v.subject_id = wanted.subject_id
     order by number desc limit 1) newest`,
);
const claim = statement<Video>(
  'media.claim-video',
  `update media.video set attempt = attempt + 1, spent = spent + 1, beat_at = now()
   where id = $1 and status = 'processing' and (beat_at is null or beat_at < now() - ${SILENT})
   returning ${VIDEO}`,
);
const isProcessing = statement<{ id: ObjectId }>(
  'media.is-processing',
  `select id from media.video where id = $1 and status = 'processing'`,
);
const beat = statement<never>(
  'media.beat',
  `update media.video set beat_at = now(), progress = greatest(progress, $3)
   where id = $1 and attempt = $2 and status = 'processing'`,
);
const release = statement<never>(
  'media.release-video',
  `update media.video set beat_at = null, spent = spent - $3
   where id = $1 and attempt = $2 and status = 'processing'`,
);
const fail = statement<never>(
  'media.fail-video',
  `update media.video set status = 'failed', error_code = $2, error_message = $3, beat_at = null
   where id = $1 and status = 'processing' and ($4::int is null or attempt = $4)`,
);
const replace = statement<{ id: ObjectId }>(
  'media.replace-video',
  `update media.video set replaced_at = $2
   where subject_id = $1 and status = 'complete' and replaced_at is null
   returning id`,
);
const complete = statement<never>(
  'media.complete-video',
  `update media.video
   set status = 'complete', progress = 100, beat_at = null, duration_ms = $3, renditions = $4, poster = $5,
     completed_at = $6
   where id = $1 and attempt = $2 and status = 'processing'`,
);
const forgetParts = statement<never>('media.forget-parts', 'delete from media.part where video_id = $1');
const insertPart = statement<never>(
  'media.insert-part',
  `insert into media.part (video_id, name, made)
   select id, $3, $4 from media.video where id = $1 and attempt = $2 and status = 'processing'`,
);
const partsOf = statement<{ made: StoredPart }>(
  'media.parts',
  'select made from media.part where video_id = $1',
);
const inProcessing = statement<Video>(
  'media.video-in-processing',
  `select ${VIDEO} from media.video where subject_id = $1 and status = 'processing' for no key update`,
);
const hold = statement<{ id: ObjectId }>(
  'media.hold-videos',
  'select id from media.video where subject_id = $1 order by number for no key update',
);
const newest = statement<Video>(
  'media.newest-video',
  `select ${VIDEO} from media.video where subject_id = $1 order by number desc limit 1 for no key update`,
);
const silent = statement<{ id: ObjectId }>(
  'media.silent-videos',
  `select id from media.video
   where status = 'processing' and coalesce(beat_at, created_at) < now() - interval '6 hours'`,
);
const erase = statement<Pick<Video, 'id' | 'subjectId' | 'ownerId' | 'sourceKey'>>(
  'media.erase-videos',
  // Locks them in the order in which the end of processing does.
  `with held as materialized (
     select id from media.video where subject_id = any($1) order by subject_id, number for update)
   delete from media.video where id in (select id from held) returning id, subject_id, owner_id, source_key`,
);
const existingIds = statement<{ id: ObjectId }>(
  'media.known-videos',
  'select id from media.video where id = any($1)',
);

export function videoStore(database: Database) {
  return {
    insert: (
      tx: Transaction,
      video: Omit<Video, 'status' | 'progress' | 'attempt' | 'spent' | 'errorCode' | 'errorMessage'> & {
        createdAt: Date;
      },
    ) =>
      tx.execute(insert, [
        ...[video.id, video.subjectId, video.ownerId, video.sourceKey, video.sourceEtag, video.sourceBytes],
        video.createdAt,
      ]),
    /** Returns the subject's newest video and the one that plays, in one snapshot; they are often the same. */
    async current(subjectId: ObjectId): Promise<{ newest?: Video; playing?: PlayableVideo }> {
      const rows = await database.all(current, [subjectId]);
      const playing = rows.find(({ plays }) => plays);
      return { ...(rows[0] ? { newest: rows[0] } : {}), ...(playing ? { playing } : {}) };
    },
    /**
     * Returns how many newest videos of subjects failed, and how many have been processed since before an instant; served
     * by video_unfinished.
     */
    backlog: (before: Date) =>
      readBacklog(database, `select created_at as at from media.video v where ${TROUBLED} order by id`, [
        before,
      ]),
    /** Lists the videos that {@link backlog} counts, by descending id, with the instant at which their file is removed. */
    troubled: (
      { status, stuckSince }: { status?: Video['status'] | undefined; stuckSince: Date },
      request: PageRequest,
    ): Promise<Page<TroubledRow>> =>
      readPage(
        database,
        {
          columns: `v.id, v.subject_id, v.owner_id, v.status, v.progress, v.attempt as attempts, v.error_code,
            v.error_message, v.created_at,
            (select due_at from media.cleanup where prefix = v.source_key) as source_until`,
          from: `media.video v where ${TROUBLED} and ($2::text is null or v.status = $2)`,
          orderBy: 'v.id desc',
          id: 'v.id',
          isGrowing: true,
        },
        [stuckSince, status ?? null],
        request,
      ),
    /** Locks the videos of a subject, in the order in which all who change several do. */
    hold: (tx: Transaction, subjectId: ObjectId) => tx.all(hold, [subjectId]),
    newest: (tx: Transaction, subjectId: ObjectId) => tx.first(newest, [subjectId]),
    playable: (subjectIds: ObjectId[]) => database.all(playable, [subjectIds]),
    /** Returns the status of the newest video of each of these subjects that has a video. */
    newestStatuses: (subjectIds: ObjectId[]) => database.all(newestStatuses, [subjectIds]),
    /** Claims the video for this worker; undefined if its processing has ended or another worker holds it. */
    claim: (id: ObjectId) => database.first(claim, [id]),
    isProcessing: async (id: ObjectId) => (await database.first(isProcessing, [id])) !== undefined,
    /** Records a heartbeat; returns whether this worker still holds the video. */
    beat: async ({ id, attempt }: Video, progress: number) =>
      (await database.execute(beat, [id, attempt, progress])) > 0,
    /** Releases the video for another worker; `isFree` attempts do not count as failed. */
    release: ({ id, attempt }: Video, { isFree }: { isFree: boolean }) =>
      database.execute(release, [id, attempt, isFree ? 1 : 0]),
    /** Fails a video that is being processed, by this attempt if given; returns whether it was failed. */
    fail: async (tx: Transaction, id: ObjectId, error: { code: string; message: string }, attempt?: number) =>
      (await tx.execute(fail, [id, error.code, error.message, attempt ?? null])) > 0,
    /** Marks the subject's playing videos as replaced and returns them. */
    replace: (tx: Transaction, subjectId: ObjectId, at: Date) => tx.all(replace, [subjectId, at]),
    /** Completes the video; returns whether this attempt still held it. */
    complete: async (
      tx: Transaction,
      { id, attempt }: Video,
      made: Pick<PlayableVideo, 'durationMs' | 'renditions' | 'poster'>,
      at: Date,
    ) => (await tx.execute(complete, [id, attempt, made.durationMs, made.renditions, made.poster, at])) > 0,
    parts: async (id: ObjectId) => (await database.all(partsOf, [id])).map(({ made }) => made),
    insertPart: async ({ id, attempt }: Video, part: MadePart & { path: string }) =>
      (await database.execute(insertPart, [id, attempt, part.name, JSON.stringify(part)])) > 0,
    forgetParts: (tx: Transaction, id: ObjectId) => tx.execute(forgetParts, [id]),
    inProcessing: (tx: Transaction, subjectId: ObjectId) => tx.first(inProcessing, [subjectId]),
    /** Returns videos that are being processed without a heartbeat. */
    silent: () => database.all(silent),
    erase: (tx: Transaction, subjectIds: ObjectId[]) => tx.all(erase, [subjectIds]),
    existing: async (ids: ObjectId[], queries: Queries = database) =>
      new Set((await queries.all(existingIds, [ids])).map(({ id }) => id)),
  };
}

export type VideoStore = ReturnType<typeof videoStore>;
