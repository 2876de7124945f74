import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Course } from './courses.store.ts';

/** A viewer's relation to a course. */
export interface Viewer {
  /** Whether the viewer owns the course or is an administrator. */
  mayManage: boolean;
  isEnrolled: boolean;
}

/** Returns whether a caller owns the course or is an administrator. */
export const mayManage = ({ ownerId }: Pick<Course, 'ownerId'>, caller: UserCaller): boolean =>
  ownerId === caller.userId || holds(caller, 'admin');

/** Returns whether the viewer may see the course: published ones, archived ones if enrolled, all if they manage it. */
export const maySee = ({ status }: Pick<Course, 'status'>, viewer: Viewer): boolean =>
  status === 'published' || viewer.mayManage || (status === 'archived' && viewer.isEnrolled);

/** Returns whether the viewer may leave the course, or is told that they are not enrolled: also a draft, if enrolled. */
export const mayLeave = (course: Pick<Course, 'status'>, viewer: Viewer): boolean =>
  maySee(course, viewer) || viewer.isEnrolled;

/**
 * Returns whether the viewer may watch a lesson and access its files: free courses, previews, or when enrolled or
 * managing.
 */
export const mayWatch = (
  { price }: Pick<Course, 'price'>,
  { preview }: { preview: boolean },
  viewer: Viewer,
): boolean => price === 0 || preview || viewer.isEnrolled || viewer.mayManage;
