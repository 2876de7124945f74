/** An event as it stands in the archive: without anything that a person may have written. */
export interface ArchivedEvent {
  id: string;
  occurredAt: Date;
  receivedAt: Date;
  person: number;
  source: string;
  name: string;
  type: string;
}
