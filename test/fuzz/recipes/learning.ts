import {
  completeLessonUpload,
  createCourseModule,
  enrollInCourse,
  getCourseCertificate,
  putLessonCaptions,
  putQuiz,
  rateCourse,
  requestLessonUpload,
  updateLessonProgress,
} from '../../../sdk/src/index.ts';
import { newCourse } from '../../support/courses.ts';
import { SAMPLES } from '../../support/pictures.ts';
import type { World } from '../world.ts';
import type { Recipes } from './steps.ts';

const QUIZ = {
  passingScore: 50,
  questions: [{ text: 'A bid?', options: ['To buy', 'To sell'], correct: [0] }],
};

/** A published course with two lessons, their ids by the names of path parameters, the owner, and a student. */
async function course(world: World) {
  const owner = await world.one('educator');
  const { course: made, module, lessons } = await newCourse(world.platform, { owner, lessons: 2 });
  const [first, second = first] = lessons;
  const params = { courseId: made.id, moduleId: module.id, lessonId: first.id };
  return { owner, params, second: second.id };
}

async function studied(world: World) {
  const { owner, params, second } = await course(world);
  const actor = await world.newMember('stranger');
  await actor.client.call(enrollInCourse, { params });
  return { owner, actor, params, second };
}

const asOwner = async (world: World) => {
  const { owner, params } = await course(world);
  return { actor: owner, params };
};
const asStudent = async (world: World) => {
  const { actor, params } = await studied(world);
  return { actor, params };
};

async function withQuiz(world: World) {
  const { owner, actor, params } = await studied(world);
  await owner.client.call(putQuiz, { params, body: QUIZ });
  return { actor, params };
}

async function ownQuiz(world: World) {
  const { actor, params } = await asOwner(world);
  await actor.client.call(putQuiz, { params, body: QUIZ });
  return { actor, params };
}

async function withCaptions(world: World) {
  const { actor, params } = await asOwner(world);
  const ofEnglish = { ...params, language: 'en' };
  await actor.client.call(putLessonCaptions, { params: ofEnglish, body: { text: 'WEBVTT\n' } });
  return { actor, params: ofEnglish };
}

async function certified(world: World) {
  const { actor, params, second } = await studied(world);
  const body = { positionSeconds: 60, completed: true };
  for (const lessonId of [params.lessonId, second])
    await actor.client.call(updateLessonProgress, { params: { lessonId }, body });
  return { actor, params };
}

/** Uploads a video that is not processed, since there is no transcoder. */
async function uploaded(world: World) {
  const { owner, params } = await course(world);
  const { mp4 } = SAMPLES;
  const { data: ticket } = await owner.client.call(requestLessonUpload, {
    params,
    body: { fileName: 'clip.mp4', fileSize: mp4.length, contentType: 'video/mp4' },
  });
  const { method, headers } = ticket.instructions;
  await fetch(ticket.uploadUrl, { method, headers, body: new Uint8Array(mp4) });
  return { actor: owner, params, body: { fileKey: ticket.fileKey } };
}

async function withVideo(world: World) {
  const { actor, params, body } = await uploaded(world);
  await actor.client.call(completeLessonUpload, { params, body });
  return { actor, params };
}

export const LEARNING_RECIPES: Recipes = {
  updateCourse: asOwner,
  changeCourseOwner: async (world) => ({
    params: (await asOwner(world)).params,
    body: { userId: (await world.one('rival')).id, reason: 'They left' },
  }),
  deleteCourse: asOwner,
  listCourseModules: asOwner,
  createCourseModule: asOwner,
  updateCourseModule: asOwner,
  deleteCourseModule: async (world) => {
    const { owner, params } = await course(world);
    const { data } = await owner.client.call(createCourseModule, { params, body: { title: 'Later' } });
    return { actor: owner, params: { ...params, moduleId: data.id } };
  },
  listLessons: async (world) => ({ query: { moduleId: (await course(world)).params.moduleId } }),
  createLesson: async (world) => {
    const { owner, params } = await course(world);
    return { actor: owner, body: { moduleId: params.moduleId, title: 'Bids' } };
  },
  getLesson: asOwner,
  updateLesson: async (world) => ({ ...(await asOwner(world)), body: { title: 'Offers' } }),
  deleteLesson: asOwner,
  requestLessonUpload: async (world) => ({
    ...(await asOwner(world)),
    body: { fileName: 'clip.mp4', fileSize: 1_000, contentType: 'video/mp4' },
  }),
  completeLessonUpload: uploaded,
  getLessonVideo: asOwner,
  cancelLessonVideo: withVideo,
  deleteLessonVideo: withVideo,
  retryLessonVideo: async (world) => {
    const { actor, params, body } = await uploaded(world);
    await actor.client.call(completeLessonUpload, { params, body });
    const failed = `update media.video set status = 'failed', error_code = 'PROCESSING_FAILED' where subject_id = $1`;
    await world.platform.database.execute(failed, [params.lessonId]);
    const kept = `insert into media.cleanup (prefix, due_at) values ($1, now() + interval '7 days')`;
    await world.platform.database.execute(kept, [body.fileKey]);
    return { params };
  },
  putLessonCaptions: asOwner,
  getLessonCaptions: withCaptions,
  deleteLessonCaptions: withCaptions,
  putQuiz: async (world) => ({ ...(await asOwner(world)), body: QUIZ }),
  getQuiz: withQuiz,
  getQuizWithAnswers: ownQuiz,
  deleteQuiz: ownQuiz,
  attemptQuiz: async (world) => ({ ...(await withQuiz(world)), body: { answers: [[0]] } }),
  enrollInCourse: async (world) => ({
    actor: await world.newMember('stranger'),
    params: (await course(world)).params,
  }),
  leaveCourse: asStudent,
  updateLessonProgress: async (world) => ({ ...(await asStudent(world)), body: { positionSeconds: 5 } }),
  getCourseProgress: asStudent,
  rateCourse: asStudent,
  listCourseRatings: asStudent,
  deleteCourseRating: async (world) => {
    const { actor, params } = await asStudent(world);
    await actor.client.call(rateCourse, { params, body: { rating: 5 } });
    return { actor, params };
  },
  getCourseCertificate: certified,
  verifyCertificate: async (world) => {
    const { actor, params } = await certified(world);
    const { data } = await actor.client.call(getCourseCertificate, { params });
    return { params: { certificateId: data.certificateId } };
  },
};
