import { holds } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Course } from './courses.model.ts';

/** A viewer's relation to a course. */
export interface Viewer {
  /** Whether the viewer owns the course or is an administrator. */
  mayManage: boolean;
  isEnrolled: boolean;
  /** Whether the viewer was enrolled and has left. */
  hasLeft: boolean;
}

/** Whether a caller owns the course or is an administrator. */
export const mayManage = ({ ownerId }: Pick<Course, 'ownerId'>, caller: UserCaller): boolean =>
  ownerId === caller.userId || holds(caller, 'admin');

type Offered = Pick<Course, 'status' | 'ownerTeaches'>;

/** Whether members may find the course and enrol in it. */
export const isOpen = ({ status, ownerTeaches }: Offered): boolean => status === 'published' && ownerTeaches;

/**
 * Whether the viewer may see the course: an open one; one that is no longer open, if they are enrolled; any, including
 * drafts, if they manage it.
 */
export const maySee = (course: Offered, viewer: Viewer): boolean =>
  isOpen(course) || viewer.mayManage || (course.status !== 'draft' && viewer.isEnrolled);

/** Whether those who have left the course may enrol again: unless it is a draft, also if it is no longer open. */
export const takesBack = ({ status }: Pick<Course, 'status'>): boolean => status !== 'draft';

/**
 * Whether the viewer may attempt to enrol, and therefore learns of a published course whose owner may no longer teach.
 */
export const mayTryToEnrol = (course: Offered, viewer: Viewer): boolean =>
  course.status === 'published' || maySee(course, viewer) || (viewer.hasLeft && takesBack(course));

/** Whether the viewer may attempt to leave the course: also a draft, if they are enrolled. */
export const mayLeave = (course: Offered, viewer: Viewer): boolean =>
  maySee(course, viewer) || viewer.isEnrolled;

/** Whether the viewer sees unpublished lessons. */
export const seesDrafts = ({ mayManage }: Viewer): boolean => mayManage;

/**
 * Whether the viewer may watch a lesson and access its files: in free courses, previews, or when enrolled or managing.
 */
export const mayWatch = (
  { price }: Pick<Course, 'price'>,
  { preview }: { preview: boolean },
  viewer: Viewer,
): boolean => price === 0 || preview || viewer.isEnrolled || viewer.mayManage;
