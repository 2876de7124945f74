import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersTo, questionsOf } from './questions.ts';

const options = ['Gold', 'Oil'];
const questions = (required: boolean) =>
  questionsOf(
    [
      { label: 'Why', required },
      { label: 'Agreed', type: 'checkbox', required },
      { label: 'Markets', type: 'multiselect', options, required },
    ],
    [],
  );
const NOTHING = [{}, { why: ' ', agreed: false, markets: [] }, { why: null, agreed: null, markets: null }];

test('a required question is answered by a text, a tick or at least one option', () => {
  for (const given of NOTHING)
    assert.deepEqual(
      answersTo(questions(true), given).faults.map(({ field }) => field),
      ['answers.why', 'answers.agreed', 'answers.markets'],
    );
  const given = { why: 'To learn', agreed: true, markets: ['Oil'] };
  assert.deepEqual(
    answersTo(questions(true), given).answers.map(({ value }) => value),
    Object.values(given),
  );
});

test('other questions need no answer, and a box that is not ticked is one', () => {
  for (const given of NOTHING)
    assert.deepEqual(
      answersTo(questions(false), given).answers.map(({ key, value }) => [key, value]),
      'agreed' in given && given.agreed === false ? [['agreed', false]] : [],
    );
});

test('options are chosen whatever spaces an administrator typed around them, and each once', () => {
  const drafts = (['select', 'multiselect'] as const).map((type) => ({
    label: type,
    type,
    options: ['Gold', ' Oil', 'Gold '],
  }));
  const made = questionsOf(drafts, []);
  assert.deepEqual(
    made.map((one) => one.options),
    [options, options],
  );
  const stored = made.map((one) => ({ ...one, options: ['Gold', ' Oil'] }));
  for (const [asked, oil] of [
    [made, 'Oil'],
    [stored, ' Oil'],
  ] as const) {
    for (const given of ['Oil', ' Oil']) {
      const { answers, faults } = answersTo(asked, { select: given, multiselect: [given, 'Oil'] });
      assert.deepEqual(faults, []);
      assert.deepEqual(
        answers.map(({ value }) => value),
        [oil, [oil]],
      );
    }
    const wrong = answersTo(asked, { select: 'Silver', multiselect: ['Oil', 7] });
    assert.deepEqual(
      [wrong.answers, wrong.faults.map(({ field }) => field)],
      [[], ['answers.select', 'answers.multiselect']],
    );
  }
});

test('a text answer has as many characters as any text, however many units they take', () => {
  const asked = questionsOf([{ label: 'Why' }], []);
  const why = '\u{1f4c8}'.repeat(2_000);
  assert.deepEqual(answersTo(asked, { why }).faults, []);
  assert.equal(answersTo(asked, { why: `${why}.` }).faults.length, 1);
});
