import type { Area } from '../cases.ts';
import type { Member } from '../installation.ts';
import type { Trial } from '../trial.ts';

const SECTION = 'decisions, "Courses"';

interface Course {
  id: string;
  lessonId: string;
  owner: Member;
}

/** A published course with one lesson; it is removed when the run ends. */
async function newCourse(trial: Trial, fields: object = {}): Promise<Course> {
  const owner = await trial.at.educator();
  const body = { title: `Conformance ${trial.at.run}`, description: 'A course of a check.', ...fields };
  const { id } = trial.accepted(await trial.post(owner, '/v1/courses', body), 201);
  trial.at.onClose(owner, 'DELETE', `/v1/courses/${id}`);
  const module = trial.accepted(await trial.post(owner, `/v1/courses/${id}/modules`, { title: 'One' }), 201);
  const lesson = { moduleId: module.id, title: 'A lesson', status: 'published' };
  const { id: lessonId } = trial.accepted(await trial.post(owner, '/v1/lessons', lesson), 201);
  trial.accepted(await trial.put(owner, `/v1/courses/${id}`, { status: 'published' }), 200);
  return { id, lessonId, owner };
}

export const education: Area = {
  name: 'education',
  cases: [
    {
      title: 'a course is a draft that its owner sees until it has what publishing needs',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const [owner, ada] = [await trial.at.educator(), await trial.at.member('ada')];
        trial.refused(await trial.post(ada, '/v1/courses', { title: 'x', description: 'y' }), 403);
        const created = await trial.post(owner, '/v1/courses', { title: `Conformance ${trial.at.run}` });
        const course = trial.accepted(created, 201);
        trial.at.onClose(owner, 'DELETE', `/v1/courses/${course.id}`);
        trial.equal([course.status, course.currency], ['draft', 'Keys'], 'a new course');
        trial.refused(await trial.get(ada, `/v1/courses/${course.id}`), 404, undefined, 'Course not found');
        trial.accepted(await trial.get(owner, `/v1/courses/${course.id}`), 200);
        const publish = () => trial.put(owner, `/v1/courses/${course.id}`, { status: 'published' });
        trial.refused(await publish(), 409, 'COURSE_NOT_READY');
        await trial.put(owner, `/v1/courses/${course.id}`, { description: 'It has one now.' });
        trial.refused(await publish(), 409, 'COURSE_NOT_READY');
        const path = `/v1/courses/${course.id}/modules`;
        const module = trial.accepted(await trial.post(owner, path, { title: 'One' }), 201);
        trial.equal(module.order, 1, 'the order of the first module');
        const lesson = { moduleId: module.id, title: 'A lesson', status: 'published' };
        const { id, order } = trial.accepted(await trial.post(owner, '/v1/lessons', lesson), 201);
        trial.equal(order, 1, 'the order of the first lesson');
        trial.accepted(await publish(), 200);
        const shown = trial.accepted(await trial.get(ada, `/v1/courses/${course.id}`), 200);
        trial.shape(shown, {
          id: 'id',
          title: 'string',
          instructor: 'object',
          modules: 'array',
          price: 'number',
        });
        trial.shape(shown, {
          syllabus: 'array',
          requirements: 'array',
          learningOutcomes: 'array',
          tags: 'array',
        });
        trial.equal([shown.status, shown.moduleCount, shown.lessonCount], ['published', 1, 1], 'the course');
        trial.equal([shown.instructor.id, shown.enrolledCount, shown.rating], [owner.id, 0, 0], 'the course');
        trial.refused(
          await trial.put(owner, `/v1/lessons/${id}`, { status: 'draft' }),
          409,
          'COURSE_NOT_READY',
        );
        trial.refused(await trial.put(ada, `/v1/courses/${course.id}`, { title: 'Mine' }), 403);
        for (const wrong of [
          { level: 'expert' },
          { price: -1 },
          { price: 1.5 },
          { title: 5 },
          { syllabus: 'x' },
        ])
          trial.refused(await trial.put(owner, `/v1/courses/${course.id}`, wrong), 422);
      },
    },
    {
      title: 'another educator’s draft is hidden, and their published course not to be changed',
      section: 'decisions, "Later rulings"',
      needs: ['administrator'],
      run: async (trial) => {
        const { id } = await newCourse(trial);
        const other = await trial.at.educator('another educator');
        trial.refused(await trial.put(other, `/v1/courses/${id}`, { title: 'Mine' }), 403);
        const owner = await trial.at.educator();
        const draft = trial.accepted(await trial.post(owner, '/v1/courses', { title: 'Draft' }), 201);
        trial.at.onClose(owner, 'DELETE', `/v1/courses/${draft.id}`);
        trial.refused(await trial.put(other, `/v1/courses/${draft.id}`, { title: 'Mine' }), 404);
      },
    },
    {
      title: 'a paid course moves its price from the member to the instructor, once',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const { id, lessonId, owner } = await newCourse(trial, { price: 30 });
        const [rich, poor] = [await trial.at.newMemberWith(40), await trial.at.newMemberWith(29)];
        const balance = async (member: Member) => {
          const { body } = await trial.get(member, '/v1/wallets/balance');
          return body.data?.balance ?? 0;
        };
        const before = await balance(owner);
        const path = `/v1/courses/${id}/enroll`;
        const first = await trial.post(rich, path);
        trial.orSkipUnverified(first);
        trial.accepted(first, 201);
        trial.refused(await trial.post(poor, path), 400, 'INSUFFICIENT_BALANCE');
        trial.refused(await trial.post(await trial.at.newMember(), path), 404, undefined, 'Wallet not found');
        trial.ok((await trial.post(rich, path)).status < 500, 'enrolling again breaks');
        trial.equal([await balance(rich), await balance(owner)], [10, before + 30], 'the balances');
        const progress = (who: Member) =>
          trial.put(who, `/v1/lessons/${lessonId}/progress`, { positionSeconds: 1 });
        trial.refused(await progress(poor), 403, 'NOT_ENROLLED');
        trial.accepted(await progress(rich), 200);
        trial.accepted(await trial.delete(rich, path), 200);
        trial.equal(await balance(rich), 10, 'the balance after leaving');
        trial.accepted(await trial.post(rich, path), 201);
        trial.equal(await balance(rich), 10, 'the balance after coming back');
      },
    },
    {
      title: 'progress, quiz and certificate follow one another',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const { id, lessonId, owner } = await newCourse(trial);
        const student = await trial.at.newMember();
        const questions = [
          { text: 'One', options: ['a', 'b', 'c'], correct: [0] },
          { text: 'Two', options: ['a', 'b', 'c'], correct: [1, 2] },
        ];
        trial.accepted(
          await trial.put(owner, `/v1/lessons/${lessonId}/quiz`, { passingScore: 60, questions }),
          200,
        );
        trial.accepted(await trial.post(student, `/v1/courses/${id}/enroll`), 201);
        const quiz = await trial.get(student, `/v1/lessons/${lessonId}/quiz`);
        trial.accepted(quiz, 200);
        trial.ok(!quiz.text.includes('"correct"'), 'the quiz shows what is correct');
        const attempt = async (answers: number[][]) =>
          trial.accepted(
            await trial.post(student, `/v1/lessons/${lessonId}/quiz/attempts`, { answers }),
            201,
          );
        const half = await attempt([[0], [1]]);
        trial.equal(
          [half.score, half.passed, half.attempt, half.correct],
          [50, false, 1, [true, false]],
          'the attempt',
        );
        const progressed = { positionSeconds: 10, completed: true };
        trial.accepted(await trial.put(student, `/v1/lessons/${lessonId}/progress`, progressed), 200);
        trial.ok(
          (await trial.get(student, `/v1/courses/${id}/certificate`)).status >= 400,
          'a certificate without the quiz',
        );
        const full = await attempt([[0], [2, 1]]);
        trial.equal([full.score, full.passed, full.attempt], [100, true, 2], 'the attempt');
        await trial.put(student, `/v1/lessons/${lessonId}/progress`, {
          positionSeconds: 5,
          completed: false,
        });
        const progress = trial.accepted(await trial.get(student, `/v1/courses/${id}/progress`), 200);
        trial.equal(
          [progress.lessonsCompleted, progress.lessonCount, progress.percentage],
          [1, 1, 100],
          'the progress',
        );
        const certificate = trial.accepted(await trial.get(student, `/v1/courses/${id}/certificate`), 200);
        trial.shape(certificate, { certificateId: 'string', completedAt: 'instant', verifyUrl: 'string' });
        trial.equal([certificate.courseId, certificate.userId], [id, student.id], 'the certificate');
        const open = await trial.get(trial.at.key, `/v1/certificates/${certificate.certificateId}`);
        trial.equal(trial.accepted(open, 200).courseTitle, certificate.courseTitle, '"courseTitle"');
        const rate = (rating: number) => trial.put(student, `/v1/courses/${id}/rating`, { rating });
        trial.accepted(await rate(4), 200);
        for (const wrong of [0, 6, 2.5]) trial.refused(await rate(wrong), 422);
        trial.equal((await trial.get(student, `/v1/courses/${id}`)).body.data.rating, 4, 'the rating');
        const stranger = await trial.at.member('ada');
        trial.refused(
          await trial.put(stranger, `/v1/courses/${id}/rating`, { rating: 1 }),
          403,
          'NOT_ENROLLED',
        );
      },
    },
    {
      title: 'a video is announced before it is uploaded',
      section: 'part 2, "Education"; decisions, "Uploads"',
      needs: ['administrator'],
      run: async (trial) => {
        const { lessonId, owner } = await newCourse(trial);
        const path = `/v1/lessons/${lessonId}/request-upload-url`;
        const file = { fileName: 'lesson-one.mp4', fileSize: 1000, contentType: 'video/mp4' };
        trial.refused(await trial.post(await trial.at.member('ada'), path, file), 403);
        const answer = await trial.post(owner, path, file);
        if (answer.body.error === 'STORAGE_NOT_CONFIGURED') trial.skip('no object storage is configured');
        const data = trial.accepted(answer, 200);
        trial.equal([data.expiresIn, data.instructions.method], [3600, 'PUT'], 'the instructions');
        trial.ok(
          !data.fileKey.includes('lesson-one'),
          'the key of the file is the name that the client gave',
        );
        for (const wrong of [
          { contentType: 'text/html' },
          { fileSize: 0 },
          { fileSize: 1.5 },
          { fileName: 5 },
        ])
          trial.refused(await trial.post(owner, path, { ...file, ...wrong }), 422);
      },
    },
    {
      title: 'courses are listed ten a page, by category and level, drafts never',
      section: 'part 2, "Education"',
      needs: ['administrator'],
      run: async (trial) => {
        const category = `conformance-${trial.at.run}`;
        const { id } = await newCourse(trial, { category, level: 'advanced' });
        const ada = await trial.at.member('ada');
        const ids = async (query: string) =>
          (await trial.get(ada, `/v1/courses?${query}`)).body.data.map((one: { id: string }) => one.id);
        trial.equal(await ids(`category=${category}`), [id], 'the courses of the category');
        trial.equal(await ids(`category=${category}&level=advanced`), [id], 'the advanced ones');
        trial.equal(await ids(`category=${category}&level=beginner`), [], 'those for beginners');
        trial.refused(await trial.get(ada, '/v1/courses?level=expert'), 422);
      },
    },
  ],
};
