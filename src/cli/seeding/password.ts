/** The password of every seeded member. */
export const SEED_PASSWORD = 'a seed to grow from';
