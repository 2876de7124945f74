import { holds } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Course } from './courses.model.ts';

/** A viewer's relation to a course. */
export interface Viewer {
  /** Whether the viewer owns the course or is an administrator. */
  mayManage: boolean;
  isEnrolled: boolean;
}

/** Returns whether a caller owns the course or is an administrator. */
export const mayManage = ({ ownerId }: Pick<Course, 'ownerId'>, caller: UserCaller): boolean =>
  ownerId === caller.userId || holds(caller, 'admin');

type Offered = Pick<Course, 'status' | 'ownerTeaches'>;

/** Returns whether members may find the course and enrol in it. */
export const isOpen = ({ status, ownerTeaches }: Offered): boolean => status === 'published' && ownerTeaches;

/**
 * Returns whether the viewer may see the course: open ones, those that are no longer open if enrolled, and all, drafts
 * included, if they manage it.
 */
export const maySee = (course: Offered, viewer: Viewer): boolean =>
  isOpen(course) || viewer.mayManage || (course.status !== 'draft' && viewer.isEnrolled);

/** Returns whether the viewer may try to enrol; they learn of a published course whose owner may not teach any longer. */
export const mayTryToEnrol = (course: Offered, viewer: Viewer): boolean =>
  course.status === 'published' || maySee(course, viewer);

/** Returns whether the viewer may leave the course, or is told that they are not enrolled: also a draft, if enrolled. */
export const mayLeave = (course: Offered, viewer: Viewer): boolean =>
  maySee(course, viewer) || viewer.isEnrolled;

/** Returns whether the viewer sees lessons that are not published. */
export const seesDrafts = ({ mayManage }: Viewer): boolean => mayManage;

/**
 * Returns whether the viewer may watch a lesson and access its files: free courses, previews, or when enrolled or
 * managing.
 */
export const mayWatch = (
  { price }: Pick<Course, 'price'>,
  { preview }: { preview: boolean },
  viewer: Viewer,
): boolean => price === 0 || preview || viewer.isEnrolled || viewer.mayManage;
