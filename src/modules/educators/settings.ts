import { integer, onOff, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** The settings of educators. */
export const educatorSettings = {
  storyHours: integer('STORY_HOURS', 24, [1, 720], 'Hours for which stories of educators are visible'),
  hidesEmails: onOff(
    'HIDE_EDUCATOR_EMAILS',
    'off',
    'Whether e-mail addresses of educators are shown only to themselves and to administrators',
  ),
} satisfies Record<string, Setting<unknown>>;

export type EducatorSettings = ValuesOf<typeof educatorSettings>;
