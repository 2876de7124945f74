/** The name that the SDK gives to a field: `_id` is `id`, and `banner_image` is `bannerImage`. */
export const camel = (name: string): string =>
  name.replace(/^_+/, '').replaceAll(/_+([a-zA-Z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** The name of a file: `Push and preferences` is `push-and-preferences`. */
export const kebab = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
