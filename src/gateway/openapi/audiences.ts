/** Whom the marks of `x-audience` stand for. */
const WORDS: Record<string, string> = {
  client: 'any client with an API key',
  member: 'members',
  educator: 'educators',
  moderator: 'moderators',
  administrator: 'administrators',
  operator: 'API keys of the Admin tier',
  service: 'internal services',
  provider: 'the payment provider',
  backoffice: 'the backoffice',
  anybody: 'everybody who has the link',
};

/** Whom operations are for that do not say otherwise, as most do not. */
export const USUAL_AUDIENCE = ['member'];

interface Marked {
  'x-audience'?: string[];
}

/** Returns the audience of an operation: its own, otherwise that of the whole description. */
export const audienceOf = (description: Marked, operation: Marked): string[] =>
  operation['x-audience'] ?? description['x-audience'] ?? USUAL_AUDIENCE;

/** Returns a sentence that says whom an operation with these marks is for. */
export const forWhom = (audience: readonly string[]): string =>
  `For ${listed(audience.map((mark) => WORDS[mark] ?? `members with the permission \`${mark}\``))}.`;

const listed = (words: string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' and $1');
