import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Course } from './courses.store.ts';

/** What a viewer is to a course. */
export interface Viewer {
  /** Owns the course, or is an administrator. */
  mayManage: boolean;
  isEnrolled: boolean;
}

/** Whether a caller owns the course or administers the platform. */
export const mayManage = ({ ownerId }: Pick<Course, 'ownerId'>, caller: UserCaller): boolean =>
  ownerId === caller.userId || holds(caller, 'admin');

/** Whether the course exists for this viewer: drafts and archived ones for few, archived ones for who is enrolled. */
export const maySee = ({ status }: Pick<Course, 'status'>, viewer: Viewer): boolean =>
  status === 'published' || viewer.mayManage || (status === 'archived' && viewer.isEnrolled);

/** Whether the viewer may watch a lesson and have its files: of a priced course only when enrolled, or in a preview. */
export const mayWatch = (
  { price }: Pick<Course, 'price'>,
  { preview }: { preview: boolean },
  viewer: Viewer,
): boolean => price === 0 || preview || viewer.isEnrolled || viewer.mayManage;
