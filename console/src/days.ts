const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The first instant of a day such as "2026-11-30" in the operator's time zone, or its last; any other text stays. */
export function instantOfDay(day: string, isEnd = false): string {
  const start = new Date(`${day}T00:00`);
  if (!DAY.test(day) || Number.isNaN(start.getTime())) return day;
  if (!isEnd) return start.toISOString();
  // The next midnight, which is not always 24 hours later.
  start.setDate(start.getDate() + 1);
  return new Date(start.getTime() - 1).toISOString();
}

/** The day of an instant in the operator's time zone, as fields for dates take it; a day stays. */
export function dayOf(at: string): string {
  const date = new Date(at);
  if (DAY.test(at) || Number.isNaN(date.getTime())) return at.slice(0, 10);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
