import type { Filling } from './growth-rows.ts';

export interface Measured extends Filling {
  bytes: number;
}

/** What was assumed of members: the study of operations that this project was tried by. */
const ASSUMED = { activeShare: 0.25, requestsPerMemberDay: 20, peakFactor: 4, connectedShare: 0.05 };
/** Requests a second that one API process answers at its peak, with a millisecond of CPU each and room to spare. */
const REQUESTS_PER_PROCESS = 100;
const SOCKETS_PER_PROCESS = 6_000;
/** Connections of a process by default: the pool, seven for the queue and listening, and five for long queries. */
const CONNECTIONS_PER_PROCESS = 20 + 7 + 5;
/** Rows of the tables that are not measured: a member's account, session, devices, counts. */
const BYTES_PER_MEMBER = 12_000;

const MEMBERS = [10_000, 100_000, 1_000_000, 10_000_000];

const size = (bytes: number): string => {
  const gigabytes = bytes / 1e9;
  if (gigabytes >= 1_000) return `${(gigabytes / 1_000).toPrecision(2)} TB`;
  return gigabytes >= 10 ? `${Math.round(gigabytes)} GB` : `${gigabytes.toPrecision(2)} GB`;
};
const count = (n: number): string => Math.round(n).toLocaleString('en-US');

/** The bytes that so many members leave in so many days. */
const bytesAfter = (measured: Measured[], members: number, days: number): number =>
  members * BYTES_PER_MEMBER +
  measured.reduce(
    (sum, { bytes, perMemberDay, retention }) =>
      // A month goes once its last day is too old: on average half a month later.
      sum + members * perMemberDay * bytes * Math.min(days, retention ? retention.days + 15 : days),
    0,
  );

/** Lines of the table of capacity, one for each number of members. */
export const capacities = (measured: Measured[], processMegabytes: number) =>
  MEMBERS.map((members) => {
    const perDay = measured.reduce((sum, { bytes, perMemberDay }) => sum + members * perMemberDay * bytes, 0);
    const requests = (members * ASSUMED.requestsPerMemberDay * ASSUMED.peakFactor) / 86_400;
    const sockets = members * ASSUMED.connectedShare;
    const api = Math.max(
      2,
      Math.ceil(requests / REQUESTS_PER_PROCESS),
      Math.ceil(sockets / SOCKETS_PER_PROCESS),
    );
    const workers = Math.max(1, Math.ceil(api / 4));
    return {
      members: count(members),
      'written a day': size(perDay),
      'disk after 1 year': size(bytesAfter(measured, members, 365)),
      'after 3 years': size(bytesAfter(measured, members, 3 * 365)),
      '3 years without retention': size(members * BYTES_PER_MEMBER + perDay * 3 * 365),
      'requests/s at peak': count(requests),
      sockets: count(sockets),
      'api + workers': `${api} + ${workers}`,
      'their memory': size((api + workers) * processMegabytes * 1e6),
      connections: count((api + workers) * CONNECTIONS_PER_PROCESS),
    };
  });
