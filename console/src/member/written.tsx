import { to } from '../router.ts';

/** The lists of what a member has published to others. */
export const Written = ({ id }: { id: string }) => (
  <>
    <a href={to('/posts', { userId: id })}>Posts</a>, <a href={to('/trades', { userId: id })}>trade ideas</a>
  </>
);
