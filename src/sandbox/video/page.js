// Lessons and their videos, built on the client SDK. Other applications import it from '@platform-api/sdk'.
import { createClient } from '/sdk.js';
import { $, attempt, chosen, fill, textOf } from './page-parts.js';
import { follow } from './uploading.js';
import { play, stop } from './watching.js';

const given = new URLSearchParams(location.search);
const { api: apiUrl, key } = document.body.dataset;
$('api').value = given.get('api') ?? apiUrl;
$('key').value = given.get('key') ?? key;

async function chooseLesson(lessons) {
  chosen.lesson = lessons.find(({ id }) => id === $('lesson').value);
  await stop();
  if (!chosen.lesson) return;
  await play();
  await follow();
}

let lessonsOfCourse = [];
async function chooseCourse(courseId) {
  const { api, user } = chosen;
  const course = await api.courses.get(courseId);
  chosen.course = course;
  const manages = course.instructor.id === user.id || user.permissions.includes('admin');
  for (const id of ['uploading', 'captioning']) $(id).hidden = !manages;
  $('enrol').hidden = course.enrolled;
  $('enrol').textContent = course.price > 0 ? `Enrol for ${course.price} ${course.currency}` : 'Enrol';
  const modules = await Promise.all(course.modules.map(({ id }) => api.lessons.list({ moduleId: id })));
  lessonsOfCourse = modules.flat();
  fill(
    $('lesson'),
    [],
    lessonsOfCourse.map(({ id, title }) => [id, title]),
  );
  await chooseLesson(lessonsOfCourse);
}

async function listCourses() {
  const { courses } = chosen.api;
  const pages = await Promise.all(
    ['published', 'draft'].map((status) => courses.list({ limit: 100, status })),
  );
  const listed = pages.flatMap(({ items }) => items);
  fill(
    $('course'),
    [],
    listed.map(({ id, title, status }) => [id, status === 'draft' ? `${title} (draft)` : title]),
  );
  const wanted = given.get('course') ?? listed[0]?.id;
  if (!wanted) return;
  $('course').value = wanted;
  await chooseCourse(wanted);
}

/** Creates a published course of one lesson, to upload a video to. */
async function newCourse() {
  const { courses, lessons } = chosen.api;
  const title = `Course of ${new Date().toLocaleTimeString()}`;
  const { id } = await courses.create({ title, description: 'Made in the sandbox.' });
  const module = await courses.createModule(id, { title: 'Module 1' });
  await lessons.create({ moduleId: module.id, title: 'Lesson 1', status: 'published' });
  await courses.update(id, { status: 'published' });
  given.set('course', id);
  await listCourses();
}

$('course').addEventListener(
  'change',
  attempt(() => chooseCourse($('course').value)),
);
$('lesson').addEventListener(
  'change',
  attempt(() => chooseLesson(lessonsOfCourse)),
);
$('new-course').addEventListener('click', attempt(newCourse));
$('enrol').addEventListener(
  'click',
  attempt(async () => {
    await chosen.api.courses.enroll(chosen.course.id);
    await chooseCourse(chosen.course.id);
  }),
);

$('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('refused').textContent = '';
  const [email, password, firstName] = ['email', 'password', 'first-name'].map((id) => $(id).value);
  const isNew = event.submitter?.id === 'sign-up';
  const who = { email, password, platform: 'web' };
  const names = { firstName: firstName || 'Guest', lastName: 'Member' };
  const api = createClient({ baseUrl: $('api').value, apiKey: $('key').value });
  try {
    const { user } = isNew ? await api.auth.signUp({ ...who, ...names }) : await api.auth.signIn(who);
    Object.assign(chosen, { api, user });
  } catch (error) {
    $('refused').textContent = textOf(error);
    return;
  }
  const teaches = chosen.user.permissions.some((one) => one === 'educator' || one === 'admin');
  $('who').textContent = `${chosen.user.firstName}, ${teaches ? 'who may upload' : 'who watches'}`;
  $('new-course').hidden = !teaches;
  $('sign-in').hidden = true;
  $('app').hidden = false;
  await attempt(listCourses)();
});
