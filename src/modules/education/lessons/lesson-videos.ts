import type { Core } from '../../../kernel/core.ts';
import { mapPage, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { canonicalLanguageTag } from '../../../kernel/text/language-tag.ts';
import { type Identity, namedMemberOf, profileLookup } from '../../identity/contract.ts';
import type { Media, TroubledVideo, UploadRequest, UploadTicket, VideoStatus } from '../../media/contract.ts';
import type { CourseRules } from '../courses/courses.ts';
import { mayWatch } from '../courses/viewing.ts';
import {
  captionNotFound,
  captionsTooLarge,
  invalidLanguage,
  lessonNotFound,
  MAX_CAPTION_BYTES,
  MAX_CAPTIONS,
  tooManyCaptions,
} from '../failures.ts';
import type { InterveneInLesson } from './lesson-interventions.ts';
import type { Lesson } from './lessons.model.ts';
import type { LessonStore } from './lessons.store.ts';
import type { KeepLesson, SeenLesson } from './lessons.ts';

interface Caption {
  lessonId: ObjectId;
  language: string;
}

interface LessonVideoDeps extends Pick<Core, 'database' | 'audit'> {
  identity: Pick<Identity, 'profilesOf'>;
  courses: Pick<CourseRules, 'lock' | 'refreshCounts'>;
  store: LessonStore;
  media: Media;
  keepLesson: KeepLesson;
  intervene: InterveneInLesson;
}

const PROCESSING = {
  status: 'processing' as const,
  message: 'The video is being processed; video-status reports the progress.',
};
const ENDED = {
  complete: { status: 'complete' as const, message: 'The video is ready.' },
  failed: {
    status: 'failed' as const,
    message: 'The video could not be processed; video-status has the reason.',
  },
};

/** Returns a language tag in its canonical form, `pt-BR` for `pt-br`. @throws invalidLanguage */
function canonical(language: string): string {
  const tag = canonicalLanguageTag(language);
  if (tag === undefined) throw invalidLanguage();
  return tag;
}

/** The videos of lessons: media stores them; this module decides who may upload and watch them. */
export function lessonVideoRules(deps: LessonVideoDeps) {
  const { courses, store, media, keepLesson, intervene, identity, database, audit } = deps;

  const statusFor = async (lessonId: ObjectId, viewerId: ObjectId | undefined) => ({
    lessonId,
    ...(await media.videoStatus(lessonId, viewerId)),
  });

  /** Changes what a lesson knows of its video; returns whether the lesson still exists. */
  async function changeVideo(
    tx: Transaction,
    lessonId: ObjectId,
    changes: Partial<Pick<Lesson, 'hasVideo' | 'duration'>>,
  ): Promise<boolean> {
    const found = await store.find(lessonId, tx);
    const course = found && (await courses.lock(tx, found.courseId));
    const lesson = course && (await store.find(lessonId, tx));
    if (!lesson) return false;
    await store.update(tx, { ...lesson, ...changes });
    await courses.refreshCounts(tx, course.id);
    return true;
  }

  return {
    /** Returns the faults of a declared video that its shape cannot express. */
    uploadFaults: (upload: Partial<UploadRequest>) => media.uploadFaults('video', upload),
    /** @throws lessonNotFound */
    requestUpload: ({ id }: Lesson, { userId }: UserCaller, upload: UploadRequest): Promise<UploadTicket> =>
      media.requestVideoUpload(id, userId, upload, (tx) => keepLesson(tx, id)),
    /** @throws lessonNotFound, uploadNotFound, uploadMissing, uploadMismatch, uploadReplaced */
    async completeUpload(lesson: Lesson, fileKey: string, caller: UserCaller, facts: RequestFacts) {
      const { id: lessonId } = lesson;
      await media.completeVideoUpload(
        lessonId,
        fileKey,
        (tx) => keepLesson(tx, lessonId),
        (tx) => intervene(tx, actorOf(caller, facts), lesson, { recordedAs: 'video-uploaded' }),
      );
      const { status } = await media.videoStatus(lessonId, caller.userId);
      return {
        lessonId,
        fileKey,
        // A retry after the processing returns the final status.
        ...(status === 'complete' || status === 'failed' ? ENDED[status] : PROCESSING),
      };
    },
    /** Returns the state of a lesson's video; those who may not watch it do not learn whether there is one. */
    status: (
      { lesson, course, viewer }: SeenLesson,
      { userId }: UserCaller,
    ): Promise<VideoStatus & { lessonId: ObjectId }> =>
      statusFor(lesson.id, mayWatch(course, lesson, viewer) ? userId : undefined),
    /** @throws videoNotProcessing */
    async cancel(lesson: Lesson, caller: UserCaller, facts: RequestFacts) {
      await media.cancelVideo(lesson.id, (tx) =>
        intervene(tx, actorOf(caller, facts), lesson, { recordedAs: 'video-cancelled' }),
      );
      return statusFor(lesson.id, caller.userId);
    },
    /** Removes the video of a lesson; captions stay. @throws lessonNotFound, videoNotFound */
    async remove(lesson: Lesson, caller: UserCaller, facts: RequestFacts) {
      const { id } = lesson;
      await media.removeVideo(id, async (tx) => {
        if (!(await changeVideo(tx, id, { hasVideo: false }))) throw lessonNotFound();
        await intervene(tx, actorOf(caller, facts), lesson, { recordedAs: 'video-removed' });
      });
      return statusFor(id, caller.userId);
    },
    /** Lists the videos that failed or are stuck, with their lessons and educators. */
    async troubled(filter: { status?: TroubledVideo['status'] | undefined }, request: PageRequest) {
      const page = await media.troubledVideos(filter, request);
      const lessons = await store.toNotify(
        page.items.map(({ subjectId }) => subjectId),
        database,
      );
      const lessonOf = new Map(lessons.map((lesson) => [lesson.id, lesson]));
      const educatorOf = ({ subjectId, ownerId }: TroubledVideo) =>
        lessonOf.get(subjectId)?.ownerId ?? ownerId;
      const profileOf = await profileLookup(identity, page.items.map(educatorOf));
      return mapPage(page, (video) => ({
        ...video,
        lesson: lessonOf.get(video.subjectId) ?? null,
        educator: namedMemberOf(profileOf(educatorOf(video))),
      }));
    },
    /** @throws lessonNotFound, videoNotFailed, videoNotRetryable */
    async retry({ id, title }: Lesson, caller: UserCaller, facts: RequestFacts) {
      await media.retryVideo(id, async (tx) => {
        await keepLesson(tx, id);
        await audit.record(tx, {
          ...actorOf(caller, facts),
          action: 'lesson.video-retried',
          target: id,
          targetName: title,
        });
      });
      return statusFor(id, caller.userId);
    },
    /** @throws lessonNotFound, invalidLanguage, tooManyCaptions, captionsTooLarge */
    async setCaption(
      lesson: Lesson,
      { language: given, text }: { language: string; text: string },
      actor: Actor,
    ): Promise<Caption> {
      const { id: lessonId } = lesson;
      const language = canonical(given);
      await database.transaction(async (tx) => {
        await keepLesson(tx, lessonId);
        await tx.lock('education.captions', lessonId);
        if (!(await media.setCaption(tx, lessonId, language, text))) return;
        const languages = (await media.captionLanguages([lessonId], tx)).get(lessonId) ?? [];
        if (languages.length > MAX_CAPTIONS) throw tooManyCaptions();
        if ((await media.captionBytes(tx, lessonId)) > MAX_CAPTION_BYTES) throw captionsTooLarge();
        await intervene(tx, actor, lesson, { recordedAs: 'captions-changed', details: { language } });
      });
      return { lessonId, language };
    },
    /** Returns captions in one language, as they were set. @throws invalidLanguage, captionNotFound */
    async captions({ id: lessonId }: Lesson, given: string): Promise<Caption & { text: string }> {
      const language = canonical(given);
      const text = await media.captionText(lessonId, language);
      if (text === undefined) throw captionNotFound();
      return { lessonId, language, text };
    },
    /** @throws invalidLanguage, captionNotFound */
    async removeCaption(lesson: Lesson, given: string, actor: Actor): Promise<Caption> {
      const { id: lessonId } = lesson;
      const language = canonical(given);
      await database.transaction(async (tx) => {
        if (!(await media.setCaption(tx, lessonId, language, undefined))) throw captionNotFound();
        await intervene(tx, actor, lesson, { recordedAs: 'captions-removed', details: { language } });
      });
      return { lessonId, language };
    },

    /** Records that the lesson's video is ready; the lesson takes the duration of the video. */
    async videoCompleted(tx: Transaction, lessonId: ObjectId, duration: number): Promise<void> {
      await changeVideo(tx, lessonId, { hasVideo: true, duration });
    },
  };
}

export type LessonVideoRules = ReturnType<typeof lessonVideoRules>;
