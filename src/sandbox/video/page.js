import { $, attempt, call, chosen, fill } from './page-parts.js';
import { follow } from './uploading.js';
import { play, stop } from './watching.js';

const given = new URLSearchParams(location.search);
const { api, key } = document.body.dataset;
$('api').value = given.get('api') ?? api;
$('key').value = given.get('key') ?? key;

async function chooseLesson(lessons) {
  chosen.lesson = lessons.find(({ id }) => id === $('lesson').value);
  $('state').dataset.status = '';
  stop();
  if (!chosen.lesson) return;
  await follow();
  await play();
}

let lessonsOfCourse = [];
async function chooseCourse(courseId) {
  const course = await call('GET', `/v1/courses/${courseId}`);
  chosen.course = course;
  const manages =
    course.instructor.id === chosen.session.user.id || chosen.session.user.permissions.includes('admin');
  for (const id of ['uploading', 'captioning']) $(id).hidden = !manages;
  $('enrol').hidden = course.enrolled;
  $('enrol').textContent = course.price > 0 ? `Enrol for ${course.price} ${course.currency}` : 'Enrol';
  const modules = await Promise.all(
    course.modules.map(({ id }) => call('GET', `/v1/lessons?moduleId=${id}`)),
  );
  lessonsOfCourse = modules.flat();
  fill(
    $('lesson'),
    [],
    lessonsOfCourse.map(({ id, title }) => [id, title]),
  );
  await chooseLesson(lessonsOfCourse);
}

async function listCourses() {
  const own = await Promise.all(
    ['published', 'draft'].map((status) => call('GET', `/v1/courses?limit=100&status=${status}`)),
  );
  const courses = own.flat();
  fill(
    $('course'),
    [],
    courses.map(({ id, title, status }) => [id, status === 'draft' ? `${title} (draft)` : title]),
  );
  const wanted = given.get('course') ?? courses[0]?.id;
  if (!wanted) return;
  $('course').value = wanted;
  await chooseCourse(wanted);
}

/** Makes a published course of one lesson, to upload to. */
async function newCourse() {
  const title = `Course of ${new Date().toLocaleTimeString()}`;
  const { id } = await call('POST', '/v1/courses', { title, description: 'Made in the sandbox.' });
  const module = await call('POST', `/v1/courses/${id}/modules`, { title: 'Module 1' });
  await call('POST', '/v1/lessons', { moduleId: module.id, title: 'Lesson 1', status: 'published' });
  await call('PUT', `/v1/courses/${id}`, { status: 'published' });
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
    await call('POST', `/v1/courses/${chosen.course.id}/enroll`);
    await chooseCourse(chosen.course.id);
  }),
);

$('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('refused').textContent = '';
  const [email, password, firstName] = ['email', 'password', 'first-name'].map((id) => $(id).value);
  const isNew = event.submitter?.id === 'sign-up';
  const who = { email, password, platform: 'web', device: crypto.randomUUID().slice(0, 8) };
  const names = { firstName: firstName || 'Guest', lastName: 'Member' };
  try {
    chosen.session = await call(
      'POST',
      `/v1/auth/${isNew ? 'signup' : 'signin'}`,
      isNew ? { ...who, ...names } : who,
    );
  } catch (error) {
    $('refused').textContent = error.message;
    return;
  }
  const teaches = chosen.session.user.permissions.some((one) => one === 'educator' || one === 'admin');
  $('who').textContent = `${chosen.session.user.firstName}, ${teaches ? 'who may upload' : 'who watches'}`;
  $('new-course').hidden = !teaches;
  $('sign-in').hidden = true;
  $('app').hidden = false;
  await attempt(listCourses)();
});
