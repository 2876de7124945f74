import { newCourse } from '../../support/courses.ts';
import { SAMPLES } from '../../support/pictures.ts';
import type { Actor, World } from '../world.ts';
import { type Recipes, step } from './steps.ts';

const QUIZ = {
  passingScore: 50,
  questions: [{ text: 'A bid?', options: ['To buy', 'To sell'], correct: [0] }],
};

/** A published course of two lessons, with ids as paths name them, its owner, and a student. */
async function course(world: World) {
  const owner = (await world.one('educator')) as Required<Actor>;
  const { course: made, module, lessons } = await newCourse(world.platform, { owner, lessons: 2 });
  const [first, second = first] = lessons;
  const params = { courseId: made.id, moduleId: module.id, lessonId: first.id };
  return { owner, params, second: second.id };
}

async function studied(world: World) {
  const { owner, params, second } = await course(world);
  const actor = await world.newMember('stranger');
  await step(actor, 'POST', `/v1/courses/${params.courseId}/enroll`);
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
  await step(owner, 'PUT', `/v1/lessons/${params.lessonId}/quiz`, QUIZ);
  return { actor, params };
}

async function certified(world: World) {
  const { actor, params, second } = await studied(world);
  for (const id of [params.lessonId, second])
    await step(actor, 'PUT', `/v1/lessons/${id}/progress`, { positionSeconds: 60, completed: true });
  return { actor, params };
}

/** Uploads a video that is not processed, since there is no transcoder. */
async function uploaded(world: World) {
  const { owner, params } = await course(world);
  const { mp4 } = SAMPLES;
  const path = `/v1/lessons/${params.lessonId}`;
  const ticket = await step(owner, 'POST', `${path}/request-upload-url`, {
    fileName: 'clip.mp4',
    fileSize: mp4.length,
    contentType: 'video/mp4',
  });
  const { method, headers } = ticket.instructions;
  await fetch(ticket.uploadUrl, { method, headers, body: mp4 as unknown as string });
  return { actor: owner, params, body: { fileKey: ticket.fileKey as string } };
}

export const LEARNING_RECIPES: Recipes = {
  updateCourse: asOwner,
  deleteCourse: asOwner,
  listCourseModules: asOwner,
  createCourseModule: asOwner,
  updateCourseModule: asOwner,
  deleteCourseModule: async (world) => {
    const { owner, params } = await course(world);
    const { id } = await step(owner, 'POST', `/v1/courses/${params.courseId}/modules`, { title: 'Later' });
    return { actor: owner, params: { ...params, moduleId: id } };
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
  cancelLessonVideo: async (world) => {
    const { actor, params, body } = await uploaded(world);
    await step(actor, 'POST', `/v1/lessons/${params.lessonId}/complete-upload`, body);
    return { actor, params };
  },
  putLessonCaptions: asOwner,
  deleteLessonCaptions: async (world) => {
    const { actor, params } = await asOwner(world);
    await step(actor, 'PUT', `/v1/lessons/${params.lessonId}/captions/en`, { text: 'WEBVTT\n' });
    return { actor, params: { ...params, language: 'en' } };
  },
  putQuiz: async (world) => ({ ...(await asOwner(world)), body: QUIZ }),
  getQuiz: withQuiz,
  attemptQuiz: async (world) => ({ ...(await withQuiz(world)), body: { answers: [[0]] } }),
  enrollInCourse: async (world) => ({
    actor: await world.newMember('stranger'),
    params: (await course(world)).params,
  }),
  leaveCourse: asStudent,
  updateLessonProgress: async (world) => ({ ...(await asStudent(world)), body: { positionSeconds: 5 } }),
  getCourseProgress: asStudent,
  rateCourse: asStudent,
  deleteCourseRating: async (world) => {
    const { actor, params } = await asStudent(world);
    await step(actor, 'PUT', `/v1/courses/${params.courseId}/rating`, { rating: 5 });
    return { actor, params };
  },
  getCourseCertificate: certified,
  verifyCertificate: async (world) => {
    const { actor, params } = await certified(world);
    const data = await step(actor, 'GET', `/v1/courses/${params.courseId}/certificate`);
    return { params: { certificateId: data.certificateId ?? data.id } };
  },
};
