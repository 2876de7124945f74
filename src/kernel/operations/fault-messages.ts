import type { ErrorObject } from 'ajv/dist/2020.js';

const FORMATS: Record<string, string> = {
  mailbox: 'must be an e-mail address',
  visible: 'must contain a visible character',
  'visible-or-empty': 'must be empty or contain a visible character',
  'one-direction': 'must not contain bidirectional controls',
  name: 'must contain a visible character and no bidirectional controls',
  instant: 'must be an ISO 8601 date or datetime',
  'http-url': 'must be an absolute http or https URL',
  'return-url': 'must be an absolute http or https URL',
  'time-zone': 'must be an IANA time zone, such as Europe/Warsaw',
  'language-tag': 'must be a BCP 47 language tag, such as pt-BR',
  currency: 'must be an ISO 4217 currency code, such as USD',
};

/**
 * Says what a text should look like: in the words of its shape (`patternMessage`), or by the first line of the shape's
 * example.
 */
function patternMessageOf({ parentSchema }: ErrorObject): string {
  const { patternMessage, examples } = (parentSchema ?? {}) as {
    patternMessage?: string;
    examples?: unknown[];
  };
  if (patternMessage !== undefined) return patternMessage;
  const [example] = examples ?? [];
  if (typeof example !== 'string') return 'has an invalid format';
  return `has an invalid format; a valid one is ${example.split('\n', 1)[0]}`;
}

/** What is said of a value beyond a limit: before the limit, and what it counts. */
const BOUNDS: Record<string, [before: string, counted?: string]> = {
  minLength: ['must have at least', 'character'],
  maxLength: ['must have at most', 'character'],
  minItems: ['must have at least', 'item'],
  maxItems: ['must have at most', 'item'],
  minimum: ['must be at least'],
  maximum: ['must be at most'],
  exclusiveMinimum: ['must be more than'],
  exclusiveMaximum: ['must be less than'],
};

/** Says in plain words what is wrong with a value that a shape refuses. */
export function messageOf(error: ErrorObject): string {
  const { keyword, params, message } = error;
  if (keyword === 'required') return 'is required';
  if (keyword === 'minLength' && params.limit === 1) return 'must not be empty';
  const bound = BOUNDS[keyword];
  if (bound)
    return `${bound[0]} ${params.limit}${bound[1] ? ` ${bound[1]}${params.limit === 1 ? '' : 's'}` : ''}`;
  if (keyword === 'format') return FORMATS[params.format] ?? `must be a valid ${params.format}`;
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`;
  if (keyword === 'type') return `must be ${[params.type].flat().join(' or ')}`;
  if (keyword === 'maxBytes') return 'is too large';
  if (keyword === 'uniqueItems') return 'must not have an item twice';
  if (keyword === 'not') return 'is reserved';
  if (keyword === 'pattern') return patternMessageOf(error);
  return message ?? 'is invalid';
}
