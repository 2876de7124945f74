/** The password of every seeded member. */
export const SEED_PASSWORD = 'platform-seed';
