import type { FieldFault } from '../../kernel/failures.ts';
import type { RightParts } from '../../kernel/operations/right-parts.ts';
import type { Question } from './products.model.ts';
import type { QuestionDraft } from './products.schemas.ts';
import type { Answer } from './requests.model.ts';

const MAX_KEY_LENGTH = 48;
const MAX_ANSWER_LENGTH = 2_000;
const CHOICES = ['select', 'multiselect'];

/** Converts a label into a key: `How long have you traded?` is `how_long_have_you_traded`. */
const slugOf = (label: string): string =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_KEY_LENGTH)
    .replace(/^_+|_+$/g, '') || 'question';

/**
 * Returns the questions with their keys. A question that names an existing key, or whose label exists, keeps that key;
 * others get a unique key derived from their label.
 */
export function questionsOf(drafts: QuestionDraft[], before: readonly Question[]): Question[] {
  const taken = new Set<string>();
  const kept = drafts.map(({ key, label }) => {
    const earlier = before.find((one) => one.key === key) ?? before.find((one) => one.label === label);
    if (!earlier || taken.has(earlier.key)) return undefined;
    taken.add(earlier.key);
    return earlier.key;
  });
  return drafts.map(({ label, type = 'text', required = false, options }, place) => {
    const key = kept[place] ?? newKey(label, taken);
    const choices = [...new Set(options?.map((one) => one.trim()))];
    return { key, label, type, required, ...(CHOICES.includes(type) && { options: choices }) };
  });
}

/** Returns the faults of questions that are choices without options. */
export const questionFaults = (drafts: RightParts<QuestionDraft[]>): FieldFault[] =>
  drafts.flatMap(({ type = 'text', options } = {}, place) =>
    CHOICES.includes(type) && !options?.length
      ? [{ field: `requestFields.${place}.options`, message: 'must have at least one' }]
      : [],
  );

function newKey(label: string, taken: Set<string>): string {
  const slug = slugOf(label);
  let key = slug;
  for (let number = 2; taken.has(key); number++) key = `${slug}_${number}`;
  taken.add(key);
  return key;
}

/** Answers to questions of a product, as they were checked. */
interface CheckedAnswers {
  /** The valid ones, with their wording. */
  answers: Answer[];
  faults: FieldFault[];
  /** Paths of answers to questions that the product does not ask. */
  ignored: string[];
}

/** Checks answers against the questions. */
export function answersTo(
  questions: readonly Question[],
  given: Readonly<Record<string, unknown>>,
): CheckedAnswers {
  const faults: FieldFault[] = [];
  const answers: Answer[] = [];
  for (const question of questions) {
    const { key, label, required } = question;
    const value = Object.hasOwn(given, key) ? trimmed(given[key]) : undefined;
    if (isMissing(question, value)) {
      if (required) faults.push({ field: `answers.${key}`, message: 'is required' });
      continue;
    }
    const checked = checkedValue(question, value);
    if ('value' in checked) answers.push({ key, label, value: checked.value });
    else faults.push({ field: `answers.${key}`, message: checked.fault });
  }
  const asked = new Set(questions.map(({ key }) => key));
  const ignored = Object.keys(given).filter((key) => !asked.has(key));
  return { answers, faults, ignored: ignored.map((key) => `answers.${key}`) };
}

/** A required checkbox must be ticked, as in a form of HTML. */
const isMissing = ({ required }: Question, value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (required && value === false);

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** Returns the option that a text names; spaces around either do not count, which options of earlier releases have. */
const optionNamed = (options: readonly string[], text: unknown): string | undefined =>
  options.find((one) => one.trim() === trimmed(text));

/** Returns the value of an answer as it is stored, or what is wrong with it. */
function checkedValue(
  { type, options = [] }: Question,
  value: unknown,
): { value: Answer['value'] } | { fault: string } {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? { value } : { fault: 'must be a number' };
    case 'checkbox':
      return typeof value === 'boolean' ? { value } : { fault: 'must be true or false' };
    case 'select': {
      const chosen = optionNamed(options, value);
      return chosen === undefined ? { fault: `must be one of ${options.join(', ')}` } : { value: chosen };
    }
    case 'multiselect': {
      const named = Array.isArray(value) && value.length <= options.length ? value : [undefined];
      const chosen = named.map((one) => optionNamed(options, one)).filter((one) => one !== undefined);
      return chosen.length < named.length
        ? { fault: `must be a list of ${options.join(', ')}` }
        : { value: [...new Set(chosen)] };
    }
    default:
      if (typeof value !== 'string') return { fault: 'must be a text' };
      return [...value].length <= MAX_ANSWER_LENGTH
        ? { value }
        : { fault: `must have at most ${MAX_ANSWER_LENGTH} characters` };
  }
}
