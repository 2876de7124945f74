/** Stands for all names, and for all types, that are counted together. */
export const OTHER = 'other';

/** Event names of the specification (part 2, Analytics). The dictionary has each of them with each type from the start. */
export const COMMON_NAMES: ReadonlySet<string> = new Set([
  'page.view',
  'section.scroll',
  'exit.intent',
  'button.click',
  'form.submit',
  'video.play',
  'video.complete',
  'trade.created',
  'trade.viewed',
  'market.searched',
  'course.viewed',
  'lesson.started',
  'lesson.completed',
  'course.enrolled',
  'signup.started',
  'signup.completed',
  'payment.initiated',
  'payment.completed',
]);

/** Event types of the specification. */
export const COMMON_TYPES: ReadonlySet<string> = new Set([
  'navigation',
  'interaction',
  'conversion',
  'trading',
  'education',
  'engagement',
]);
